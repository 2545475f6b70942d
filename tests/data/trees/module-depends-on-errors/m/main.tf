variable "x" {
  validation {
    condition     = var.x == 2
    error_message = "Two."
  }
}
