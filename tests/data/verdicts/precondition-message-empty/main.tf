variable "a" {
 type = string
}
output "o" {
 value = 1
 precondition {
 condition = var.a
 error_message = null == var.a ? "" : "q"
}
}
