variable "q" {
  default = "q"
}
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = tonumber(var.q) == 2
      error_message = "x"
    }
  }
}
