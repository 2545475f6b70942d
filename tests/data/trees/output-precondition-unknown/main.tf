resource "terraform_data" "t" {
}
output "o" {
  value = 1
  precondition {
    condition     = terraform_data.t.id == "x"
    error_message = "No."
  }
}
