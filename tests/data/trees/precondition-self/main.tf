resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = self.id == "x"
      error_message = "x"
    }
  }
}
