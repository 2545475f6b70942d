module "a" {
  source   = "./m"
  for_each = { p = 1, q = "z" }
}
output "b" {
  value = module.a["r"].o
}
output "c" {
  value = module.a.o
}
output "d" {
  value = try(module.a["r"].o, 1)
}
