module "a" {
  source = "./m"
  count  = 2
}
output "a" {
  value = module.a[0].nope
}
output "b" {
  value = module.a[*].nope
}
