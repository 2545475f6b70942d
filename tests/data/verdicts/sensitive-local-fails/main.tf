variable "a" {
 type = string
 sensitive = true
 default = "x"
 validation {
  condition = var.a == "x" && local.l == 1
  error_message = "m"
 }
}
variable "b" {
 type = string
 sensitive = true
 default = "x"
}
variable "c" {
 type = string
 sensitive = true
 default = "x"
}
locals {
 l = var.b == "x" ? 1 : [][0]
}
