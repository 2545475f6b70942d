variable "size" {
  validation {
    condition     = var.size == 5
    error_message = "Got ${var.size}."
  }
}
