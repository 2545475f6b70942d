variable "v" {
  validation {
    condition     = var.v == "y"
    error_message = "Not y."
  }
}
