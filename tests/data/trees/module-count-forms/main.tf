module "a" {
  source = "./m"
  count  = 2
  x      = count.index
}
output "a" {
  value = module.a[0].o
}
output "b" {
  value = module.a
}
output "c" {
  value = module.a[*].o
}
output "d" {
  value = length(module.a)
}
output "e" {
  value = module.a["1"].o
}
output "f" {
  value = [for m in module.a : m.o]
}
output "g" {
  value = module.a[*].o == ["q", 1]
}
