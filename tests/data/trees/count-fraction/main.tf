resource "terraform_data" "r" {
  count = 1.5
}
module "c" {
  source = "./m"
  count  = 1.5
}
