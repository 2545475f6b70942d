variable "q" {
  default = "q"
}
resource "terraform_data" "a" {
  input = "x"
}
output "b" {
  value = tonumber(terraform_data.a.input)
}
output "o" {
  value = tonumber(var.q)
}
