module "a" {
  source = "./m"
  x      = null
}
output "o" {
  value = module.a.o
}
