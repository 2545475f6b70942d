module "a" {
  source  = "./m"
  version = "1.0"
}
