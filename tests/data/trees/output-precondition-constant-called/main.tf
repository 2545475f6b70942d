module "m" {
  source = "./m"
}
output "o" {
  value = tonumber(module.m.o)
}
