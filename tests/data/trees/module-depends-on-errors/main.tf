variable "q" {
  default = "x"
}
output "z" {
  value = tonumber(var.q)
}
module "b" {
  source = "./m"
  x      = tonumber(var.q)
}
module "a" {
  source     = "./m"
  x          = 1
  depends_on = [module.b]
}
