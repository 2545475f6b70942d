variable "q" {
  default = "q"
}
resource "terraform_data" "a" {
}
output "f" {
  value = tonumber(var.q)
  precondition {
    condition     = var.q == "z"
    error_message = "pre"
  }
}
output "u" {
  value = 1
  precondition {
    condition     = terraform_data.a.id == "z"
    error_message = "pre"
  }
}
output "n" {
  value = 1
  precondition {
    condition     = terraform_data.a.input
    error_message = "pre"
  }
}
output "e" {
  value = 1
  precondition {
    condition     = tonumber(var.q) == 1
    error_message = "pre"
  }
}
output "m" {
  value = 1
  precondition {
    condition     = var.q == "q"
    error_message = tonumber(var.q)
  }
}
