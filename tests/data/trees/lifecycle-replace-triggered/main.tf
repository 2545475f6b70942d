resource "terraform_data" "b" {
  count = 1
}
resource "terraform_data" "a" {
  lifecycle {
    replace_triggered_by = [terraform_data.b, terraform_data.b[0], terraform_data.b[0].input, terraform_data.b[0].id]
  }
}
