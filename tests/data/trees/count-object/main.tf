resource "terraform_data" "r" {
  count = {}
}
module "c" {
  source = "./m"
  count  = {}
}
