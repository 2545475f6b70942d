resource "terraform_data" "r" {
  for_each = toset([1, 2])
}
module "c" {
  source   = "./m"
  for_each = toset([1, 2])
}
