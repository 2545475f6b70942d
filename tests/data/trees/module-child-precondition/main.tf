module "a" {
  source = "./m"
}
output "r" {
  value = tonumber(module.a.o)
}
