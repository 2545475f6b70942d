module "a" {
  source = "./m"
  count  = 0
  x      = "c"
}
