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
module "n" {
  source = "./m"
  count  = 0
  x      = count.index
  y      = count.index.x
}
module "o" {
  source   = "./m"
  for_each = { a = { b = 1 } }
  x        = each.key
  y        = each.value.x
}
module "p" {
  source   = "./m"
  for_each = toset(["a"])
  x        = 1
  y        = each.key.x
}
