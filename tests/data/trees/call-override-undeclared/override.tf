module "b" {
  source = "./m"
}
