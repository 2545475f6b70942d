resource "terraform_data" "a" {
}
resource "terraform_data" "b" {
  input = try(terraform_data.a.nope, 1)
}
