variable "x" {
  default = 1
}
output "o" {
  description = var.x
  value       = 1
}
