variable "x" {
}
locals {
  z = tonumber("q${var.x}")
}
output "x" {
  value = 1
}
