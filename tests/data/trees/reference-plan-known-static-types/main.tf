resource "terraform_data" "b" {
  input = []
}
output "bin" {
  value = terraform_data.b.input + 1
}
output "idx" {
  value = terraform_data.b.id.x
}
