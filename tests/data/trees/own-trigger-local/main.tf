locals {
 x = 1
}
resource "terraform_data" "a" {
  lifecycle {
    replace_triggered_by = [local.x]
  }
}
