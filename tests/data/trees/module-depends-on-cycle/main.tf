module "a" {
  source     = "./m"
  x          = 1
  depends_on = [module.b]
}
module "b" {
  source = "./m"
  x      = module.a.ox
}
