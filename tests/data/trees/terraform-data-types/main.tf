variable "s" {
  type    = set(string)
  default = ["b", "a"]
}
resource "terraform_data" "a" {
  input = var.s
}
output "o" {
  value = terraform_data.a.input
  precondition {
    condition     = terraform_data.a.input == var.s && terraform_data.a.triggers_replace == null
    error_message = "Other type."
  }
}
