variable "s" {
  sensitive = true
  default   = "x"
}
output "o" {
  value = 1
  precondition {
    condition     = var.s == "x"
    error_message = "Got ${var.s}."
  }
}
