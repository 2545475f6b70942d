variable "x" {
  default = "a"
  validation {
    condition     = terraform_data.t.input == var.x
    error_message = "Not ${terraform_data.t.input}."
  }
  validation {
    condition     = terraform_data.t.id == var.x
    error_message = "Not the id."
  }
}
resource "terraform_data" "t" {
  input = "a"
}
