module "a" {
  source     = "./m"
  x          = 1
  depends_on = [module.a]
}
