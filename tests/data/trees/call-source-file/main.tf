module "a" {
  source = "./m/main.tf"
}
