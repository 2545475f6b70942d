variable "k" {
  default = "a"
}
module "m" {
  source   = "./m"
  for_each = { a = 1, b = 2 }
  x        = each.value
}
output "o" {
  value = module.m[var.k].o
}
