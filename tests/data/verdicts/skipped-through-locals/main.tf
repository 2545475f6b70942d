variable "a" {
 type = string
 default = "x"
 validation {
  condition = var.a == "x" && local.l == "x"
  error_message = "m"
 }
}
variable "b" {
 type = string
 default = "x"
 validation {
  condition = var.b == "x"
  error_message = "m"
 }
}
variable "c" {
 type = string
 default = "x"
}
locals {
 l = local.k
 k = local.j
 j = [var.b][0]
}
