module "a" {
  source   = "./m"
  count    = 1
  for_each = {}
}
