variable "name" {
  validation {
    condition     = length(var.name) <= 5
    error_message = "At most 5: ${var.name}."
  }
}
