resource "terraform_data" "r" {
  for_each = tolist(["a"])
}
module "c" {
  source   = "./m"
  for_each = tolist(["a"])
}
