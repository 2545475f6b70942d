variable "b" {
  type    = any
  default = null
}

variable "a" {
  type = string
  validation {
    condition     = var.a == "x"
    error_message = { a = 1 }
  }
}
