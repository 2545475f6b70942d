variable "x" {
  validation {
    condition     = var.x == 3
    error_message = "m"
  }
}
