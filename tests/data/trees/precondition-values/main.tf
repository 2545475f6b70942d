variable "q" {
  default = 1
}
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = var.q < 3
      error_message = "Got ${var.q}."
    }
  }
}
