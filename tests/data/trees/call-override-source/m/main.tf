variable "x" {
  validation {
    condition     = var.x == 1
    error_message = "Not ${var.x}."
  }
}
