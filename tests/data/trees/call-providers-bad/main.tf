module "a" {
  source    = "./m"
  providers = "x"
}
