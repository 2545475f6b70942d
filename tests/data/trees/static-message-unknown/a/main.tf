variable "x" {
  validation {
    condition     = var.x.b == 2
    error_message = "Got ${var.x.a}."
  }
}
