module "a" {
  source = "./m"
  x      = 1
}
module "b" {
  source = "./m"
  x      = 2
}
