module "a" {
  source   = "./m"
  for_each = {}
}
output "b" {
  value = module.a["r"].o
}
