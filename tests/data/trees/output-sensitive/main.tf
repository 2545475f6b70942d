variable "s" {
  sensitive = true
  default   = "x"
}
output "o" {
  value = var.s
}
