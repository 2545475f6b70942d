variable "x" {
  validation {
    condition     = var.x == 2
    error_message = "Got ${var.x}."
  }
}
