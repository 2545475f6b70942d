resource "terraform_data" "r" {
  for_each = local.nope
}
module "c" {
  source   = "./m"
  for_each = local.nope
}
