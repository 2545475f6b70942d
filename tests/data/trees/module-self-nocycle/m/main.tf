variable "x" {
}
variable "y" {
}
output "ox" {
  value = var.x
}
output "oy" {
  value = var.y
}
