variable "x" {
}
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = var.x == 2
      error_message = "no ${var.x}"
    }
  }
}
