variable "e" {
  ephemeral = true
  default   = "x"
}
output "r" {
  value = var.e
}
