terraform {
  required_version = null
}
variable "a" {
  type = number
  validation {
    condition = var.a > 1
    error_message = "m"
  }
}
locals {
  x = tonumber("1")
}
