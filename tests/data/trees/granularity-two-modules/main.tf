variable "x" {
  default = "x"
}
module "a" {
  source = "./m"
  x      = var.x
}
module "b" {
  source = "./m"
  x      = upper(var.x)
}
module "c" {
  source = "./m"
  x      = module.a.x
}
