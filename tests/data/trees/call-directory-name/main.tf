module "a" {
  source = "./m-1.x"
  x      = 1
}
