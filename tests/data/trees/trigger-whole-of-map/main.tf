variable "n" {
  type    = list(string)
  default = []
}
resource "terraform_data" "b" {
  for_each = toset(var.n)
}
resource "terraform_data" "a" {
  lifecycle {
    replace_triggered_by = [terraform_data.b]
  }
}
