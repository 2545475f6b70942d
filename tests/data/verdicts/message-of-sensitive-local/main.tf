variable "a" {

  validation {
    condition = var.a == "y"
    error_message = local.m
  }
}
variable "b" {
  type = string
  sensitive = true
  default = "s3cret"
}
locals {
  m = "no ${var.b}"
}
