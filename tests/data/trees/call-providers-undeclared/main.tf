module "a" {
  source = "./m"
  providers = {
    nope = nope
  }
}
