resource "terraform_data" "a" {
  lifecycle {
    ignore_changes = [1 + 1]
  }
}
