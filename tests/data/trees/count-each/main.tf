resource "terraform_data" "r" {
  count = each.key
}
module "c" {
  source = "./m"
  count  = each.key
}
