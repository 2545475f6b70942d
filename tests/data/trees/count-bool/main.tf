resource "terraform_data" "r" {
  count = true
}
module "c" {
  source = "./m"
  count  = true
}
