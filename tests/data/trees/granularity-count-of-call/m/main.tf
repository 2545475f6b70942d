variable "x" {
}
output "y" {
  value = tonumber("q${var.x}")
}
