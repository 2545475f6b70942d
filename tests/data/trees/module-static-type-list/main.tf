module "a" {
  source = "./m"
}
output "b" {
  value = module.a.o + 1
}
