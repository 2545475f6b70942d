variable "a" {
  default = ""
  validation {
    condition     = provider::x::f(var.a) == "x"
    error_message = "m"
  }
}
variable "b" {
  default = ""
  validation {
    condition     = can(provider::x::f(var.b)) || var.b == "x"
    error_message = "m"
  }
}
variable "c" {
  default = ""
  validation {
    condition     = var.c == "x" ? true : provider::x::f(var.c)
    error_message = "m"
  }
}
variable "d" {
  default = ""
  validation {
    condition     = try(provider::x::f(var.d), true)
    error_message = "m"
  }
}
