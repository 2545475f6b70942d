module "a" {
  source = "./m"
  x      = keys(module.a)
  y      = 1
}
output "r" {
  value = module.a.ox
}
