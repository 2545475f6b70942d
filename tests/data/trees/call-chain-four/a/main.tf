variable "v" {
}
locals {
  w = var.v + 1
}
module "b" {
  source = "./b"
  v      = local.w
}
