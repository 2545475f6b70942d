resource "terraform_data" "a" {
  for_each = {a = 1}
  lifecycle {
    replace_triggered_by = [each.key]
  }
}
