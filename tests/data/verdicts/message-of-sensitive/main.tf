variable "a" {

  validation {
    condition = var.a == "y"
    error_message = "no ${var.b}"
  }
}
variable "b" {
  type = string
  sensitive = true
  default = "s3cret"
}
