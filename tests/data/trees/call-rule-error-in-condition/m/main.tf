variable "x" {
  validation {
    condition     = tonumber(var.x) > 1
    error_message = "m ${var.x}"
  }
}
