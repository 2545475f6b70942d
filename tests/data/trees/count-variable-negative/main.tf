variable "m" {
  default = -1
}
resource "terraform_data" "r" {
  count = var.m
}
module "c" {
  source = "./m"
  count  = var.m
}
