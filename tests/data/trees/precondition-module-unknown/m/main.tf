resource "terraform_data" "t" {
}
output "id" {
  value = terraform_data.t.id
}
