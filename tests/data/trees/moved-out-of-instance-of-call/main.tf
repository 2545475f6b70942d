variable "n" {
  default = 1
}
module "m" {
  source = "./m"
  count  = var.n
}
resource "terraform_data" "b" {
}
moved {
  from = module.m[0].terraform_data.a
  to   = terraform_data.b
}
