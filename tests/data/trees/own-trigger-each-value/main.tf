resource "terraform_data" "b" {
  for_each = { a = 1 }
}
resource "terraform_data" "a" {
  for_each = { a = "a" }
  lifecycle {
    replace_triggered_by = [terraform_data.b[each.value]]
  }
}
