resource "terraform_data" "b" {
}
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = terraform_data.b.id == "x"
      error_message = "x"
    }
    precondition {
      condition     = terraform_data.b.input == "x"
      error_message = "u ${terraform_data.b.id}"
    }
  }
}
