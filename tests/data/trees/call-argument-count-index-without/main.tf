module "a" {
  source   = "./m"
  for_each = { a = 1 }
  x        = count.index
}
