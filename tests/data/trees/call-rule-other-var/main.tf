module "a" {
  source = "./m"
  x      = 1
  y      = 2
}
