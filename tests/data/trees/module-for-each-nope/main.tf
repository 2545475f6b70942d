module "a" {
  source   = "./m"
  for_each = { p = 1, q = "z" }
}
output "a" {
  value = module.a["p"].nope
}
output "b" {
  value = module.a["r"].o
}
