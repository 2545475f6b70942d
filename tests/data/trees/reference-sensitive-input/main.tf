variable "s" {
  sensitive = true
  default   = "x"
}
resource "terraform_data" "a" {
  input = var.s
}
output "o" {
  value = terraform_data.a.input
}
