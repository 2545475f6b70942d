variable "v" {
  default = "x"
}
module "a" {
  source = "./m"
  v      = var.v
}
module "b" {
  source     = "./m"
  v          = var.v
  depends_on = [module.a]
}
