module "a" {
  source = "./m"
  count  = 0
}
output "a" {
  value = module.a[0].o
}
