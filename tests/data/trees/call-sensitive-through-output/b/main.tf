variable "v" {
  validation {
    condition     = var.v == "ok"
    error_message = "Got ${var.v}."
  }
}
