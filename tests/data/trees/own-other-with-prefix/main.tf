resource "terraform_data" "a" {
  input = resource.terraform_data.b.id
}
resource "terraform_data" "b" {
}
