module "a" {
  source = "./m"
  count  = 1
}
output "b" {
  value = module.a[0].o + 1
}
