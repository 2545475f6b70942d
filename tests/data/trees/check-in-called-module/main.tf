module "m" {
  source = "./m"
  x      = "q"
}
