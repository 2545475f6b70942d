module "a" {
  source = "./m//sub"
}
