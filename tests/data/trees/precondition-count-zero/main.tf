variable "n" {
  default = 0
}
resource "terraform_data" "a" {
  count = var.n
  lifecycle {
    precondition {
      condition     = var.n == 0
      error_message = "Got ${var.n}."
    }
  }
}
