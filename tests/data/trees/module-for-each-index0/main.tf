module "a" {
  source   = "./m"
  for_each = { p = 1, q = "z" }
}
output "b" {
  value = module.a[0].o
}
