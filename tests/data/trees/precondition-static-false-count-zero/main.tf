locals {
  z = 1
}
resource "terraform_data" "a" {
  count = 0
  lifecycle {
    precondition {
      condition     = local.z == 2
      error_message = "x"
    }
  }
}
