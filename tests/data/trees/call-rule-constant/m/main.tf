variable "x" {
  validation {
    condition     = var.x == 3
    error_message = "m"
  }
  validation {
    condition     = var.x == 2
    error_message = "n"
  }
}
