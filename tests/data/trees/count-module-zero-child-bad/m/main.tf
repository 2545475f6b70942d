variable "x" {
  validation {
    condition     = var.x == 1
    error_message = "m"
  }
}
locals {
  a = tonumber(var.x)
}
