variable "name" {
  validation {
    condition     = length(var.name) < 4
    error_message = "Got ${var.name}."
  }
}
