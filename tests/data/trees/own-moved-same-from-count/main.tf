resource "terraform_data" "b" {
  count = 1
}
resource "terraform_data" "c" {}
moved {
  from = terraform_data.a
  to = terraform_data.b[0]
}
moved {
  from = terraform_data.a
  to = terraform_data.c
}
