variable "x" {
  ephemeral = true
}
output "o" {
  value = var.x
}
