locals {
  x = terraform_data.a.id
}
resource "terraform_data" "a" {
  input = local.x
}
