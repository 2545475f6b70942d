variable "n" {
  type    = list(string)
  default = ["k"]
}
module "m" {
  source   = "./m"
  for_each = toset(var.n)
}
module "o" {
  source = "./m"
}
moved {
  from = module.m["k"]
  to   = module.o
}
