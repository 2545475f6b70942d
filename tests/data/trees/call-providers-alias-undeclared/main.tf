module "a" {
  source = "./m"
  providers = {
    terraform.x = terraform.y
  }
}
