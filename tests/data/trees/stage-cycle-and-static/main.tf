locals {
  a = local.b
  b = local.a
}
output "o" {
  value = tonumber("q")
}
