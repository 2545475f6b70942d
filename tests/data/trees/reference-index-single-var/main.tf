variable "i" {
  default = 3
}
resource "terraform_data" "a" {
}
resource "terraform_data" "b" {
  input = terraform_data.a[var.i].id
}
