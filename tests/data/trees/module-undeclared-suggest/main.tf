module "nopes" {
  source = "./m"
}
output "a" {
  value = module.nope.o
}
