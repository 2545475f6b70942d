variable "x" {
  validation {
    condition     = !strcontains(var.x, "\"")
    error_message = "A quote: ${var.x}."
  }
}
output "x" {
  value = var.x
}
