variable "v" {
  validation {
    condition     = tonumber(var.v) > 0
    error_message = "Must be positive."
  }
}
