variable "x" {
  validation {
    condition     = var.x == 2
    error_message = "Called: ${var.x}."
  }
}
variable "y" {
  validation {
    condition     = var.y == 2
    error_message = "Called: ${var.y}."
  }
}
