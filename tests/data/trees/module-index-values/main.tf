variable "i" {
  default = 0
}
module "m" {
  source = "./m"
  count  = 2
  x      = count.index
}
output "o" {
  value = module.m[var.i].o
}
