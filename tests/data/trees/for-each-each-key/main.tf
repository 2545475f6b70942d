resource "terraform_data" "r" {
  for_each = each.key
}
module "c" {
  source   = "./m"
  for_each = each.key
}
