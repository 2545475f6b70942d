variable "q" {
  default = "x"
}
module "b" {
  source = "./m"
  x      = var.q
}
output "a" {
  value = tonumber(jsonencode(module.b))
}
output "b" {
  value = tonumber(module.b["y"])
}
