module "a" {
  source = "./m"
  x      = each.key
}
