resource "terraform_data" "r" {
  count = "x"
}
module "c" {
  source = "./m"
  count  = "x"
}
