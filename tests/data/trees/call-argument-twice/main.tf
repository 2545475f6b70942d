module "a" {
  source = "./m"
  x      = 1
  x      = 2
}
