variable "v" {
  validation {
    condition     = var.v == "good"
    error_message = "Not good."
  }
}
