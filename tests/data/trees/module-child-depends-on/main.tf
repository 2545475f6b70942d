module "a" {
  source = "./m"
}
output "r" {
  value = module.a.o
}
