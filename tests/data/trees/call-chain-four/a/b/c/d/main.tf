variable "v" {
  validation {
    condition     = var.v == 5
    error_message = "Not 5 but ${var.v}."
  }
}
