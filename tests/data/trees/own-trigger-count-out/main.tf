resource "terraform_data" "b" {
  count = 1
}
resource "terraform_data" "a" {
  count = 2
  lifecycle {
    replace_triggered_by = [terraform_data.b[count.index].id]
  }
}
