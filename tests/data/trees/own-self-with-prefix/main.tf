resource "terraform_data" "a" {
  input = resource.terraform_data.a.id
}
