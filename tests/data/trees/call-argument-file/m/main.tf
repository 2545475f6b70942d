variable "x" {
  type = object({ size = number })
  validation {
    condition     = var.x.size < 3
    error_message = "Size ${var.x.size}."
  }
}
