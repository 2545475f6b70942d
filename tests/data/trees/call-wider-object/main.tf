locals {
  wide = { name = "n", size = 1, other = true }
}
module "a" {
  source = "./m"
  o      = local.wide
}
module "b" {
  source = "./m"
  o      = { name = "n", size = 2, unknown = 1 }
}
