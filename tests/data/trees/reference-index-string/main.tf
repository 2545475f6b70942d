resource "terraform_data" "a" {
  count = 1
}
resource "terraform_data" "b" {
  input = terraform_data.a["0"].id
}
