variable "n" {
  default = 1
}
module "m" {
  source = "./m"
  n      = var.n
}
resource "terraform_data" "b" {
}
moved {
  from = module.m.terraform_data.a[1]
  to   = terraform_data.b
}
