variable "y" {
  validation {
    condition     = var.y == 3
    error_message = "m ${var.y}"
  }
}
