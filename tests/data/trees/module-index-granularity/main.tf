module "a" {
  source = "./m"
  count  = 1
  x      = module.b["k"].oy
  y      = 1
}
module "b" {
  source   = "./m"
  for_each = { k = 1 }
  x        = module.a[0].oy
  y        = 1
}
output "r" {
  value = module.a[0].ox
}
