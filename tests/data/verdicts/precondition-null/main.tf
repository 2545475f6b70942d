variable "a" {}
variable "b" {
  type = string
  sensitive = true
  default = "s3cret"
}
variable "e" {
 ephemeral = true
 default = "q"
}
locals {
 l = var.a
}
output "p" {
 value = 1
 precondition {
 condition = tobool(null) == var.a ? null : null
 error_message = "m"
}
}
