variable "q" {
  default = 1
}
resource "terraform_data" "a" {
  input = "q"
  lifecycle {
    precondition {
      condition     = var.q == 2
      error_message = "x ${var.q}"
    }
    precondition {
      condition     = var.q == 3
      error_message = "y ${var.q}"
    }
    postcondition {
      condition     = self.input == "z"
      error_message = "post"
    }
  }
}
output "o" {
  value = tonumber(terraform_data.a.input)
}
