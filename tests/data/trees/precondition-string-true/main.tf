variable "q" {
  default = "true"
}
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = var.q
      error_message = "x"
    }
  }
}
