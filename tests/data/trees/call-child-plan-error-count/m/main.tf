variable "x" {
}
locals {
  z = tonumber(var.x)
}
