module "a" {
  source = "./m"
}
output "r" {
  value = module.a.o == null
}
output "s" {
  value = module.a.o.z
}
