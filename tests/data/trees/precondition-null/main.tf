variable "q" {
  default = null
}
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = var.q
      error_message = "x"
    }
  }
}
