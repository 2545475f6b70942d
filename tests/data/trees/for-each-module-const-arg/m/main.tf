variable "x" {
}
locals {
  a = tonumber(var.x)
}
