variable "n" {
  default = 1
}
resource "terraform_data" "b" {
  count = var.n
}
resource "terraform_data" "a" {
  lifecycle {
    replace_triggered_by = [terraform_data.b[1].output]
  }
}
