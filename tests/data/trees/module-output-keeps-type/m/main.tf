variable "x" {
  type = any
}
output "o" {
  value = var.x
}
