resource "terraform_data" "r" {
  for_each = true
}
module "c" {
  source   = "./m"
  for_each = true
}
