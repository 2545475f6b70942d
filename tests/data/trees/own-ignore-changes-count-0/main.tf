resource "terraform_data" "a" {
  count = 0
  lifecycle {
    ignore_changes = [nope]
  }
}
