variable "x" {
  default = 1
  validation {
    condition     = var.x == 3
    error_message = "m"
  }
}
