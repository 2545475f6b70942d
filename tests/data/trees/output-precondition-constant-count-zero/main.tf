module "m" {
  source = "./m"
  count  = 0
}
