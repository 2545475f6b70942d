module "a" {
  source = "./m"
  q      = 1
}
output "r" {
  value = tonumber(module.a.o)
}
