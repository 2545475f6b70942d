variable "x" {
  validation {
    condition     = var.x == 2
    error_message = "Not ${var.x}."
  }
}
