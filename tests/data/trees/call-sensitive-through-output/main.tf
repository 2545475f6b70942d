variable "v" {
  default = "ok"
}
module "a" {
  source = "./a"
  v      = var.v
}
module "b" {
  source = "./b"
  v      = module.a.secret
}
