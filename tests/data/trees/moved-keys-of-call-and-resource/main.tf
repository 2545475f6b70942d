variable "n" {
  type    = list(string)
  default = ["k"]
}
module "m" {
  source   = "./m"
  for_each = toset(var.n)
  all      = var.n
}
resource "terraform_data" "b" {
}
moved {
  from = module.m["k"].terraform_data.a["l"]
  to   = terraform_data.b
}
