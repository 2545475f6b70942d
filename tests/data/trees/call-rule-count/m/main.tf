variable "x" {
  validation {
    condition     = var.x == 1
    error_message = "m ${var.x}"
  }
}
