resource "terraform_data" "r" {
  count = 1e30
}
module "c" {
  source = "./m"
  count  = 1e30
}
