terraform {
  required_version = ">= 2"
}
variable "a" {
  type = number
  validation {
    condition = var.a > 1
    error_message = "m"
  }
}
locals {
  x = tonumber("q")
}
