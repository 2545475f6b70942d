moved {
  from = terraform_data.b
  to   = terraform_data.a
}
resource "terraform_data" "a" {
}
resource "terraform_data" "b" {
}
