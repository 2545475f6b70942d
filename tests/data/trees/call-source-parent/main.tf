variable "x" {
  type = string
  validation {
    condition     = var.x == "2"
    error_message = "Must be 2."
  }
}
