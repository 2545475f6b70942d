resource "terraform_data" "r" {
  for_each = toset(each.value)
}
module "c" {
  source   = "./m"
  for_each = toset(each.value)
}
