resource "terraform_data" "r" {
  count = [1]
}
module "c" {
  source = "./m"
  count  = [1]
}
