variable "a" {
 type = string
}
variable "s" {
 sensitive = true
 default = "x"
}
variable "r" {
 default = "x"
 validation {
 condition = var.r == var.a
 error_message = "m"
}
}
check "c" {
 assert {
  condition = var.a
  error_message = "m"
 }
}
