variable "x" {
  default = 1
  validation {
    condition     = var.x == 1
    error_message = "Not ${var.x}."
  }
}
