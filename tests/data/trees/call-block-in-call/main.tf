module "a" {
  source = "./m"
  x {
  }
  lifecycle {
  }
}
