variable "v" {
  type    = string
  default = "x"
}
module "a" {
  source = "./a"
  v      = var.v
}
module "b" {
  source = "./b"
  v      = module.a.upper
}
