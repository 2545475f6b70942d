resource "terraform_data" "r" {
  count = null
}
module "c" {
  source = "./m"
  count  = null
}
