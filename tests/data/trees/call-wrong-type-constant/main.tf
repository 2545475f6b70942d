module "a" {
  source = "./m"
  x      = "abc"
}
