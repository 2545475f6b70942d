module "a" {
  source = "./m"
  count  = 3
  x      = "c"
}
