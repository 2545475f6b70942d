resource "terraform_data" "r" {
  for_each = { a = sensitive(1) }
}
module "c" {
  source   = "./m"
  for_each = { a = sensitive(1) }
}
