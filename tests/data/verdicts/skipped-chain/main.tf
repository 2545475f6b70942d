variable "a" {
 type = string
 default = "x"
 validation {
  condition = var.a == local.l
  error_message = "m"
 }
}
variable "b" {
 type = string
 default = "x"
 validation {
  condition = var.b == var.c
  error_message = "m"
 }
}
variable "c" {
 type = string
 default = "x"
 validation {
  condition = var.c == "x"
  error_message = "m"
 }
}
locals {
 l = var.b
}
