variable "v" {
  validation {
    condition     = var.v != "bad"
    error_message = "Bad."
  }
}
