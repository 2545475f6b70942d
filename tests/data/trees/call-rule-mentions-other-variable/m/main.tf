variable "min" {
  type = number
  validation {
    condition     = var.min <= var.max
    error_message = "${var.min} is above ${var.max}."
  }
}
variable "max" {
  type = number
}
