variable "m" {
  type    = map(string)
  default = { a = "A" }
}
module "a" {
  source   = "./m"
  for_each = var.m
  k        = each.key
  v        = each.value
}
