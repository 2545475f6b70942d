resource "terraform_data" "r" {
  for_each = toset([])
}
module "c" {
  source   = "./m"
  for_each = toset([])
}
