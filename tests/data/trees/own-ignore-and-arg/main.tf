resource "terraform_data" "a" {
  x = 1
  lifecycle {
    ignore_changes = [nope]
  }
}
