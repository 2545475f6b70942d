variable "v" {
  default = { a = 1 }
}
locals {
  l = { a = 1 }
}
resource "terraform_data" "x" {
  count = 1
}
resource "terraform_data" "y" {
  depends_on = [terraform_data.x, resource.terraform_data.x, terraform_data.x[0], resource.terraform_data.x[0], module.m]
}
module "m" {
  source     = "./m"
  depends_on = [terraform_data.x]
}
output "o" {
  value      = 1
  depends_on = [module.m.a, resource.terraform_data.x[0], terraform_data.y]
}
