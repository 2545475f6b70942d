variable "v" {
  type    = map(object({ a = string }))
  default = {}
}
module "m" {
  source   = "./m"
  for_each = var.v
  x        = each.value
  y        = each.value.nope
}
