variable "defaults" {
  type    = any
  default = {}
}
variable "items" {
  type    = any
  default = {}
}
module "wrapper" {
  source   = "../"
  for_each = var.items
  name     = try(each.value.name, var.defaults.name, each.key)
  size     = try(each.value.size, var.defaults.size, 1)
}
output "wrapper" {
  value = module.wrapper
}
