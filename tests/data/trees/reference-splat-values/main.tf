variable "n" {
  default = 2
}
resource "terraform_data" "a" {
  count = var.n
  input = count.index
}
output "o" {
  value = one(terraform_data.a[*].input)
}
