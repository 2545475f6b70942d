resource "terraform_data" "r" {
  count = 0
}
module "c" {
  source = "./m"
  count  = 0
}
