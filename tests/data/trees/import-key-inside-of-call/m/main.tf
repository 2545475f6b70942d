variable "n" {
}
resource "terraform_data" "a" {
  count = var.n
}
