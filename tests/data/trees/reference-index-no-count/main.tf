resource "terraform_data" "a" {
}
resource "terraform_data" "b" {
  input = terraform_data.a[0].id
}
resource "terraform_data" "c" {
  input = terraform_data.a["x"].id
}
