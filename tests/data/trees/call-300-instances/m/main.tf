variable "i" {
}
variable "limit" {
  validation {
    condition     = var.i < var.limit
    error_message = "Instance ${var.i}."
  }
}
