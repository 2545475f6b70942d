variable "i" {
}
output "o" {
  value = var.i
  precondition {
    condition     = var.i < 1
    error_message = "Got ${var.i}."
  }
}
