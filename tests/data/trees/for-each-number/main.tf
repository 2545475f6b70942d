resource "terraform_data" "r" {
  for_each = 2
}
module "c" {
  source   = "./m"
  for_each = 2
}
