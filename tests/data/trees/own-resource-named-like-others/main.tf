variable "a" {
  default = 1
}
locals {
  a = var.a
}
resource "terraform_data" "a" {
  input            = [local.a, var.a]
  triggers_replace = module.a.a
}
module "a" {
  source = "./m"
}
