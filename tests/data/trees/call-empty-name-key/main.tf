module "m" {
  source   = "./m"
  for_each = toset(["", "a.b", "a\"b", "ü"])
  x        = each.key
}
output "o" {
  value = module.m["a.b"].x
}
