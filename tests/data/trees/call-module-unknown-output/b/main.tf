variable "v" {
  validation {
    condition     = var.v == "x"
    error_message = "Not x."
  }
}
