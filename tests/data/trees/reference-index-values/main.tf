variable "i" {
  default = 0
}
resource "terraform_data" "a" {
  count = 2
  input = count.index
}
output "o" {
  value = terraform_data.a[var.i].input
}
