module "a" {
  source   = "./m"
  for_each = { a = 1 }
}
output "b" {
  value = module.a["a"].o + 1
}
output "c" {
  value = keys(module.a) == "x" ? tonumber("q") : 1
}
