variable "in" {
  default = "x"
}
module "a" {
  source = "./a"
  in     = var.in
}
module "b" {
  source = "./b"
  v      = module.a.input
}
