module "a" {
  source = "./m?ref=1"
}
