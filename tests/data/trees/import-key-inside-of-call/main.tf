variable "n" {
  default = 1
}
module "m" {
  source = "./m"
  n      = var.n
}
import {
  to = module.m.terraform_data.a[1]
  id = "x"
}
