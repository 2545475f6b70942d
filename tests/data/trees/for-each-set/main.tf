resource "terraform_data" "r" {
  for_each = toset(["a", "b"])
}
module "c" {
  source   = "./m"
  for_each = toset(["a", "b"])
}
