module "m" {
  source = "./m"
  count  = 2
  x      = count.index
}
