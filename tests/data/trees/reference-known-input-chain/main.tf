variable "x" {
  default = "1"
}
resource "terraform_data" "a" {
  input = var.x
}
resource "terraform_data" "b" {
  input = terraform_data.a.input
}
output "o" {
  value = tonumber(terraform_data.b.input)
}
