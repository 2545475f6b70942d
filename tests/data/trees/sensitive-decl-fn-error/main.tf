module "m" {
  source = "./m"
  x      = "pw"
}
