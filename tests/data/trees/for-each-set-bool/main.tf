resource "terraform_data" "r" {
  for_each = toset([true])
}
module "c" {
  source   = "./m"
  for_each = toset([true])
}
