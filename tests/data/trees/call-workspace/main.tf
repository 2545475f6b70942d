module "a" {
  source = "./m"
  x      = terraform.workspace
}
