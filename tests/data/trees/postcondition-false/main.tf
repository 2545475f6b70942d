resource "terraform_data" "a" {
  input = "q"
  lifecycle {
    postcondition {
      condition     = self.input == "z"
      error_message = "post"
    }
    postcondition {
      condition     = self.output == "z"
      error_message = "post"
    }
    postcondition {
      condition     = self.id == "z"
      error_message = "post"
    }
  }
}
output "o" {
  value = tonumber(terraform_data.a.input)
}
