module "good" {
  source = "./m"
  x      = local.good
}
module "bad" {
  source = "./m"
  x      = local.bad
}
locals {
  good = upper("a")
  bad  = lower("B")
}
