module "a" {
  source = "./m"
  x      = "q"
}
