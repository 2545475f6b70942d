variable "q" {
  default = 1
}
resource "terraform_data" "a" {
  input = var.q
  lifecycle {
    postcondition {
      condition     = self.output == 5
      error_message = "Got ${self.output}."
    }
    postcondition {
      condition     = self.id == "x"
      error_message = "Got ${self.id}."
    }
  }
}
