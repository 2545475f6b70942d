module "c" {
  source = "./m"
  count  = module.c[0].o
}
