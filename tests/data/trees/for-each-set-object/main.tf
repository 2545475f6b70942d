resource "terraform_data" "r" {
  for_each = toset([{ a = 1 }])
}
module "c" {
  source   = "./m"
  for_each = toset([{ a = 1 }])
}
