variable "x" {
  validation {
    condition     = var.x == var.y
    error_message = "m ${var.x}"
  }
}
variable "y" {
  validation {
    condition     = var.y == 1
    error_message = "n ${var.y}"
  }
}
