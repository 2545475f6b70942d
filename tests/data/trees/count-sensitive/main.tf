resource "terraform_data" "r" {
  count = sensitive(1)
}
module "c" {
  source = "./m"
  count  = sensitive(1)
}
