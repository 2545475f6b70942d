variable "x" {
  validation {
    condition     = var.x == upper(var.x)
    error_message = "Upper case only, not ${var.x}."
  }
}
