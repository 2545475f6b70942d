variable "q" {
  default = 1
}
output "o" {
  value = var.q
  precondition {
    condition     = var.q < 3
    error_message = "Got ${var.q}."
  }
}
