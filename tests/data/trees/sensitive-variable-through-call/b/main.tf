variable "v" {
  validation {
    condition     = var.v == "x"
    error_message = "Got ${var.v}."
  }
}
