output "a" {
  value = module.nope.o
}
output "b" {
  value = module.nope
}
output "c" {
  value = try(module.nope.x, 1)
}
