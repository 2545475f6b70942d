resource "terraform_data" "r" {
  for_each = toset(["a", null])
}
module "c" {
  source   = "./m"
  for_each = toset(["a", null])
}
