variable "x" {
  default = "x"
}
module "m" {
  source = "./m"
  x      = var.x
}
output "bad" {
  value = module.m.bad
}
output "good" {
  value = tonumber(module.m.good)
}
