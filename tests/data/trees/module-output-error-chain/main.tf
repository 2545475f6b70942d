variable "x" {
  default = "q"
}
module "m" {
  source = "./m"
  x      = var.x
}
module "n" {
  source = "./n"
  y      = module.m.o
}
