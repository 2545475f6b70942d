resource "terraform_data" "a" {
}
output "o" {
  value = terraform_data.a.output
  precondition {
    condition     = terraform_data.a.output == null && terraform_data.a.input == null
    error_message = "Not null."
  }
}
