variable "y" {
  validation {
    condition     = var.y > 5
    error_message = "Got ${var.y}."
  }
}
