output "o" {
  value = "q"
  precondition {
    condition     = 1 == 2
    error_message = "Bad."
  }
}
