variable "q" {
  default = "q"
}
resource "terraform_data" "a" {
  input = var.q
  lifecycle {
    postcondition {
      condition     = self.input == "1"
      error_message = "Got ${self.input}."
    }
  }
}
resource "terraform_data" "b" {
  input = tonumber(terraform_data.a.input)
}
