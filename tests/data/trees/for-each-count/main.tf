resource "terraform_data" "r" {
  for_each = toset([count.index])
}
module "c" {
  source   = "./m"
  for_each = toset([count.index])
}
