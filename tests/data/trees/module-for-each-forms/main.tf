module "a" {
  source   = "./m"
  for_each = { p = 1, q = "z" }
  x        = each.value
}
output "a" {
  value = module.a["p"].o
}
output "b" {
  value = module.a
}
output "c" {
  value = { for k, m in module.a : k => m.o }
}
output "d" {
  value = keys(module.a)
}
output "e" {
  value = values(module.a)[*].o
}
output "f" {
  value = module.a.p.o
}
