resource "terraform_data" "z" {
}
resource "terraform_data" "a" {
  id = terraform_data.z.id
}
