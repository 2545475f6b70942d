resource "terraform_data" "r" {
  for_each = toset([sensitive("a")])
}
module "c" {
  source   = "./m"
  for_each = toset([sensitive("a")])
}
