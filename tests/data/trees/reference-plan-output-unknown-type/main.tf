resource "terraform_data" "b" {
  input = "x"
}
output "o" {
  value = terraform_data.b.output.x
}
