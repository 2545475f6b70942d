resource "terraform_data" "r" {
  for_each = {}
}
module "c" {
  source   = "./m"
  for_each = {}
}
