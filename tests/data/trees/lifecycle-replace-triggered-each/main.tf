resource "terraform_data" "b" {
  for_each = { x = 1 }
}
resource "terraform_data" "a" {
  for_each = { y = 1 }
  lifecycle {
    replace_triggered_by = [terraform_data.b[each.key].id]
  }
}
