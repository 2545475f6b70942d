resource "terraform_data" "r" {
  for_each = tomap("q")
}
module "c" {
  source   = "./m"
  for_each = tomap("q")
}
