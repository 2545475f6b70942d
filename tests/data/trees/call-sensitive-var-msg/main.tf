module "a" {
  source = "./m"
  x      = "pw"
}
