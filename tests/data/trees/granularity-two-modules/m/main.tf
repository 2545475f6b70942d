variable "x" {
  validation {
    condition     = length(var.x) > 1
    error_message = "Got ${var.x}."
  }
}
output "x" {
  value = var.x
}
