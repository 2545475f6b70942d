variable "q" {
  default = "q"
}
module "a" {
  source = "./m"
}
output "b" {
  value = tonumber(module.a.x)
}
output "o" {
  value = tonumber(var.q)
}
