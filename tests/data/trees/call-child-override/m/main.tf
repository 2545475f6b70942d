variable "x" {
  default = 1
  validation {
    condition     = var.x == 2
    error_message = "Two."
  }
}
