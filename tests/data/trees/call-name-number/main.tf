module "1a" {
  source = "./m"
}
