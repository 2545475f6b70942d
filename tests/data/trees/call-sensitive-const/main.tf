module "a" {
  source = "./m"
  x      = sensitive("pw")
}
