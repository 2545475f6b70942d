variable "v" {
}
locals {
  unused = tonumber(var.v)
}
