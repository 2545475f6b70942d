module "a" {
  source = "./m"
  x      = { b = 1, zz = 3 }
}
output "o" {
  value = module.a.o
}
