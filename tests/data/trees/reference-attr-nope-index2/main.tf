resource "terraform_data" "a" {
  count = 1
}
resource "terraform_data" "b" {
  input = terraform_data.a[0].nope
}
resource "terraform_data" "c" {
  input = terraform_data.a[*].nope
}
