resource "terraform_data" "a" {
  count = 0
  lifecycle {
    replace_triggered_by = [terraform_data.nope]
  }
}
