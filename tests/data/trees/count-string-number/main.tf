resource "terraform_data" "r" {
  count = "2"
}
module "c" {
  source = "./m"
  count  = "2"
}
