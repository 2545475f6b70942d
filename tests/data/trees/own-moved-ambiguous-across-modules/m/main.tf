resource "terraform_data" "c" {}
resource "terraform_data" "d" {}
moved {
  from = terraform_data.a
  to = terraform_data.d
}
