variable "v" {
  validation {
    condition     = var.v < 3
    error_message = "Got ${var.v}."
  }
}
