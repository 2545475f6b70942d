module "a" {
  source = "./m"
}
output "a" {
  value = module.a.o
}
output "b" {
  value = module.a
}
output "c" {
  value = keys(module.a)
}
output "d" {
  value = jsonencode(module.a)
}
output "e" {
  value = module.a[*].o
}
output "f" {
  value = module.a["o"]
}
