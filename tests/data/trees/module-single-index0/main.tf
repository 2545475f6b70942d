module "a" {
  source = "./m"
}
output "a" {
  value = module.a[0]
}
