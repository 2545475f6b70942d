variable "m" {
  default = { "a.b" = 1, "c" = "x" }
}
module "m" {
  source   = "./m"
  for_each = var.m
  x        = each.value
}
module "n" {
  source = "./m"
  count  = 2
  x      = count.index == 1 ? "y" : "1"
}
