variable "x" {
}
locals {
  a = tonumber(var.x)
  b = local.nope
}
