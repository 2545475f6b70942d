variable "q" {
  default = "q"
}
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = tonumber("q") == var.q
      error_message = "x"
    }
  }
}
