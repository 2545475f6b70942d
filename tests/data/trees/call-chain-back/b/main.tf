variable "v" {
  validation {
    condition     = contains(["X", "Y"], var.v)
    error_message = "Not ${var.v}."
  }
}
