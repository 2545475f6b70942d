module "a" {
  source = "./m"
}
output "p" {
  value = module.a.o
}
