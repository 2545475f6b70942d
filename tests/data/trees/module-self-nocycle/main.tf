module "a" {
  source = "./m"
  x      = module.a.oy
  y      = 1
}
output "r" {
  value = module.a.ox
}
