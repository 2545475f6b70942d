variable "q" {
  default = "q"
}
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = var.q
      error_message = "x"
    }
    precondition {
      condition     = [var.q]
      error_message = "x"
    }
  }
}
