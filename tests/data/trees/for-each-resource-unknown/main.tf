resource "terraform_data" "y" {
  input = { a = 1 }
}
resource "terraform_data" "r" {
  for_each = terraform_data.y.output
}
module "c" {
  source   = "./m"
  for_each = terraform_data.y.output
}
