variable "x" {
  validation {
    condition     = var.x == 3
    error_message = "m"
  }
}
variable "y" {
  validation {
    condition     = var.y == 3
    error_message = "n"
  }
}
