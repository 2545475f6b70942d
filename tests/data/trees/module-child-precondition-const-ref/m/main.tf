variable "q" {
}
output "o" {
  value = "q"
  precondition {
    condition     = var.q == 2
    error_message = "Bad ${var.q}."
  }
}
