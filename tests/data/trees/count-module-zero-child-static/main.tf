module "m" {
  source = "./m"
  count  = 0
  x      = "q"
}
