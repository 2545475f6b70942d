resource "terraform_data" "b" {
 count = 1
}
resource "terraform_data" "a" {
  lifecycle {
    replace_triggered_by = [terraform_data.b.id]
  }
}
