module "a" {
  source = "./m"
  count  = 0
}
output "a" {
  value = one(module.a[*].o)
}
output "b" {
  value = length(module.a)
}
output "c" {
  value = module.a == []
}
