resource "terraform_data" "t" {
  input = "known"
}
output "id" {
  value = terraform_data.t.id
}
output "input" {
  value = terraform_data.t.input
}
