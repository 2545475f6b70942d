variable "x" {
  validation {
    condition     = var.x == var.y
    error_message = "Got ${var.x}."
  }
}
variable "y" {
}
