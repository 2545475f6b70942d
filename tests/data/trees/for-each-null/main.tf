resource "terraform_data" "r" {
  for_each = null
}
module "c" {
  source   = "./m"
  for_each = null
}
