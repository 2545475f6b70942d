resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = 1 == 2
      error_message = "x"
    }
  }
}
