resource "terraform_data" "a" {
  for_each = { x = 1 }
}
resource "terraform_data" "b" {
  input = terraform_data.a[0].id
}
