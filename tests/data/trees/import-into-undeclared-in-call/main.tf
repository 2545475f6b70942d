variable "n" {
  default = 1
}
module "m" {
  source = "./m"
  count  = var.n
}
resource "terraform_data" "b" {
}
import {
  to = module.m[0].terraform_data.none
  id = "x"
}
