output "f" {
  value = 1
  postcondition {
    condition     = self == "z"
    error_message = "pre"
  }
}
