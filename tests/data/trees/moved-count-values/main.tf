variable "n" {
  default = 1
}
moved {
  from = terraform_data.a[1]
  to   = terraform_data.b
}
resource "terraform_data" "a" {
  count = var.n
}
resource "terraform_data" "b" {
}
