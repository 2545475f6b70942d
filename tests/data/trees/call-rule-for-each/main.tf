module "a" {
  source   = "./m"
  for_each = toset(["1", "3", "5"])
  x        = each.key
}
