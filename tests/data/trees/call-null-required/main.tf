module "a" {
  source = "./m"
  x      = null
}
