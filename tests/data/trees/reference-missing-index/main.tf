resource "terraform_data" "a" {
  count = 1
}
resource "terraform_data" "b" {
  input = terraform_data.a.id
}
resource "terraform_data" "c" {
  input = try(terraform_data.a.id, 1)
}
