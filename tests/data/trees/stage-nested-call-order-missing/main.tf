module "a" {
  source = "./m"
  zz     = 1
}
