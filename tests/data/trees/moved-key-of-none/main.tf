resource "terraform_data" "a" {
}
resource "terraform_data" "b" {
}
moved {
  from = terraform_data.a[0]
  to   = terraform_data.b
}
