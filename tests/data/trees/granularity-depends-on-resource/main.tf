variable "x" {
  default = "x"
}
resource "terraform_data" "a" {
  input = tonumber(var.x)
}
resource "terraform_data" "b" {
  input      = tonumber("b${var.x}")
  depends_on = [terraform_data.a]
}
output "o" {
  value      = tonumber("o${var.x}")
  depends_on = [terraform_data.a]
}
