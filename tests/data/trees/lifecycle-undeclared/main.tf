resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = var.nope == 1
      error_message = "x ${local.nope}"
    }
    postcondition {
      condition     = self.nope == 1
      error_message = "x ${self.id}"
    }
  }
}
