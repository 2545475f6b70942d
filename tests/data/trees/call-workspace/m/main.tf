variable "x" {
  validation {
    condition     = var.x == "default"
    error_message = "Got ${var.x}."
  }
}
