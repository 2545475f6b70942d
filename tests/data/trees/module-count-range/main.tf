module "a" {
  source = "./m"
  count  = 2
}
output "a" {
  value = module.a[2].o
}
output "b" {
  value = module.a[-1].o
}
output "c" {
  value = try(module.a[2].o, 1)
}
