resource "terraform_data" "r" {
  for_each = "a"
}
module "c" {
  source   = "./m"
  for_each = "a"
}
