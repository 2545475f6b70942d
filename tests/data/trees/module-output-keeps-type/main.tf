variable "x" {
  type    = any
  default = { a = 1 }
}
module "m" {
  source = "./m"
  x      = var.x
}
output "o" {
  value = module.m.o.a
}
