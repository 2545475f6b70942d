variable "q" {
  default = "q"
}
resource "terraform_data" "a" {
  lifecycle {
    postcondition {
      condition     = var.q == "z"
      error_message = "post"
    }
  }
}
