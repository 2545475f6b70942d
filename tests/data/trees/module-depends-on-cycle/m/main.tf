variable "x" {
}
output "ox" {
  value = var.x
}
