variable "q" {
  default = 1
}
module "m" {
  source = "./m"
  q      = var.q
}
output "o" {
  value = module.m.o
}
