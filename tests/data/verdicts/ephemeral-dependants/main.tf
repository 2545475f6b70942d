variable "a" {
 type = string
 ephemeral = true
 default = "x"
 validation {
  condition = var.a == "x" || try(var.b, "") == "x"
  error_message = "m"
 }
}
variable "b" {
 type = string
 ephemeral = true
 default = "x"
 validation {
  condition = var.b == "x"
  error_message = "m"
 }
}
variable "c" {
 type = string
 ephemeral = true
 default = "x"
}
