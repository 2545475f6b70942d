variable "q" {
  default = "x"
}
module "b" {
  source = "./m"
  x      = var.q
}
output "a" {
  value = tonumber(module.b.y)
}
output "b" {
  value = tonumber(module.b.x)
}
