module "a" {
  source = "./m"
  count  = 2
}
output "a" {
  value = module.a["x"].o
}
