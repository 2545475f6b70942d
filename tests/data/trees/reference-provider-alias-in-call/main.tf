provider "terraform" {
  alias = "x"
}
module "m" {
  source    = "./m"
  providers = { terraform.y = terraform.x }
}
