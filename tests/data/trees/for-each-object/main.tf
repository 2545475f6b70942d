resource "terraform_data" "r" {
  for_each = { a = 1, b = "x" }
}
module "c" {
  source   = "./m"
  for_each = { a = 1, b = "x" }
}
