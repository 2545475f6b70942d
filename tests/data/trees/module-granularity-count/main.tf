variable "q" {
  default = "x"
}
module "b" {
  source = "./m"
  count  = 2
  x      = var.q
}
output "a" {
  value = tonumber(module.b[0].y)
}
output "b" {
  value = tonumber(module.b[1].x)
}
output "c" {
  value = tonumber(module.b[*].y[0])
}
output "d" {
  value = [for b in module.b : tonumber(b.y)]
}
