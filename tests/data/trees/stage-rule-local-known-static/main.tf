locals {
  z = 1
}
variable "q" {
  default = "q"
}
module "a" {
  source = "./m"
  x      = local.z
}
module "b" {
  source = "./m"
  x      = module.a.x
}
output "o" {
  value = tonumber(var.q)
}
