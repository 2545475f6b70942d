module "a" {
  source = "./m"
  providers = {
    terraform = terraform
  }
}
