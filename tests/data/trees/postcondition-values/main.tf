variable "q" {
  default = 1
}
resource "terraform_data" "a" {
  input = { q = var.q }
  lifecycle {
    postcondition {
      condition     = self.input.q < 3
      error_message = "Got ${self.input.q}."
    }
  }
}
