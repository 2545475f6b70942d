module "a" {
  source = "./m"
  x      = module.b.ox
}
module "b" {
  source = "./m"
  x      = module.a.ox
}
