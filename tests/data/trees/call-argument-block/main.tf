module "a" {
  source = "./m"
  x {
    y = 1
  }
}
