module "c" {
  source   = "./m"
  for_each = module.c[0].o
}
