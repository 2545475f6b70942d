resource "terraform_data" "z" {
}
resource "terraform_data" "r" {
  for_each = { a = terraform_data.z.id }
}
module "c" {
  source   = "./m"
  for_each = { a = terraform_data.z.id }
}
