variable "v" {
  type = any
  validation {
    condition     = can(var.v[0])
    error_message = "Not a sequence."
  }
}
