module "m" {
  source = "./m"
  _ {
    v = 1
  }
}
