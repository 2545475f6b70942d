module "a" {
  source = "./m"
  x      = 1
  y      = module.b.ox
}
module "b" {
  source = "./m"
  x      = module.a.ox
  y      = 1
}
output "r" {
  value = module.a.oy
}
