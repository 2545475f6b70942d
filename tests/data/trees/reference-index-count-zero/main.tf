resource "terraform_data" "a" {
  count = 0
}
resource "terraform_data" "b" {
  input = terraform_data.a[0].id
}
