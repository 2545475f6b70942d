variable "x" {
  default = "x"
}
module "m" {
  source = "./m"
  x      = var.x
}
resource "terraform_data" "a" {
  input = tonumber(module.m.o)
}
