variable "x" {
  validation {
    condition     = var.x.b == 2
    error_message = "Two, please."
  }
}
