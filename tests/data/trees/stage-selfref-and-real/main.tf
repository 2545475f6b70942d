variable "q" {
  default = "q"
}
resource "terraform_data" "a" {
  input = terraform_data.a.id
}
output "o" {
  value = tonumber(var.q)
}
