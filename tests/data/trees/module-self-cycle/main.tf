module "a" {
  source = "./m"
  x      = module.a.ox
}
