variable "n" {
  default = 1
}
moved {
  from = module.m
  to   = module.m[0]
}
module "m" {
  source = "./m"
  count  = var.n
}
