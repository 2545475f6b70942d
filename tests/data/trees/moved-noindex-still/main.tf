moved {
  from = terraform_data.a
  to   = terraform_data.b
}
resource "terraform_data" "a" {
  count = 0
}
resource "terraform_data" "b" {
}
