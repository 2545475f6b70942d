module "a" {
  source = "./m"
}
module "a" {
  source = "./m"
}
