variable "q" {
  default = "q"
}
module "a" {
  source   = "./a"
  for_each = { a = 1 }
  x        = each.value
}
output "o" {
  value = tonumber(var.q)
}
