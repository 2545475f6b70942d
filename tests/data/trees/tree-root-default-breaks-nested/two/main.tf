variable "b" {
  default = -1
  validation {
    condition     = var.b > 0
    error_message = "Got ${var.b}."
  }
}
