resource "terraform_data" "a" {
  lifecycle {
    ignore_changes = [nope[0].x]
  }
}
