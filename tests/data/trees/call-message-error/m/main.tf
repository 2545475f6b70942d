variable "v" {
  validation {
    condition     = length(var.v) > 0
    error_message = "First is ${var.v[0]}."
  }
}
