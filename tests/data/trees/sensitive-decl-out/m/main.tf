variable "x" {
  sensitive = true
}
output "a" {
  value = var.x
}
