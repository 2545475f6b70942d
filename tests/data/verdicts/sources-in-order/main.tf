variable "a" {
 default="d"
}
variable "b" {
 default="d"
}
variable "c" {
default = null
  validation {
    condition = [var.c, var.a == "x"][1]
    error_message = "m"
  }
}
