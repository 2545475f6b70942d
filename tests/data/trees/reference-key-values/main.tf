variable "k" {
  default = "a"
}
resource "terraform_data" "a" {
  for_each = { a = 1, b = 2 }
  input    = each.value
}
output "o" {
  value = terraform_data.a[var.k].input
}
