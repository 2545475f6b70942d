variable "v" {
  default = 1
}
resource "terraform_data" "a" {
  lifecycle {
    replace_triggered_by = [var.v]
  }
}
