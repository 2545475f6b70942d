variable "q" {
  default = "q"
}
output "o" {
  value = var.q
  precondition {
    condition     = var.q == "z"
    error_message = "Bad."
  }
}
