variable "x" {
  validation {
    condition     = var.x.b == "c"
    error_message = "m ${var.x.a}"
  }
}
