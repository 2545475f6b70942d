variable "size" {
  type = number
  validation {
    condition     = var.size > 0
    error_message = "Must be positive."
  }
  validation {
    condition     = var.size < 10
    error_message = "Must be below 10."
  }
}
