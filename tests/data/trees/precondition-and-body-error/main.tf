variable "q" {
  default = "q"
}
resource "terraform_data" "a" {
  input = tonumber(var.q)
  lifecycle {
    precondition {
      condition     = var.q == "z"
      error_message = "pre"
    }
    postcondition {
      condition     = var.q == "z"
      error_message = "post"
    }
  }
}
