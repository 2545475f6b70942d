variable "n" {
  validation {
    condition     = var.n != "var.x"
    error_message = "Literal."
  }
}
