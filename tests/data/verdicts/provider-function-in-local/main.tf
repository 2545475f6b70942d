variable "a" {
  default = ""
  validation {
    condition     = var.a == "x"
    error_message = "m"
  }
}
locals {
  x = provider::terraform::encode_expr(1)
}
