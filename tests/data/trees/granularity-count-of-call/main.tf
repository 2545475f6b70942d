variable "n" {
  default = -1
}
variable "x" {
  default = "x"
}
module "m" {
  source = "./m"
  count  = var.n
  x      = tonumber(var.x)
}
output "o" {
  value = module.m[7].y + 1
}
output "p" {
  value = tonumber(var.x)
}
