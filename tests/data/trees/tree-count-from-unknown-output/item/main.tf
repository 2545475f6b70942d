variable "name" {
  validation {
    condition     = var.name != "bad"
    error_message = "Got ${var.name}."
  }
}
