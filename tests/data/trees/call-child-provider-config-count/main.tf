module "a" {
  source = "./m"
  count  = 1
}
