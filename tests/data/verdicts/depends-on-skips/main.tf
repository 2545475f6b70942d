variable "a" {

  validation {
    condition = var.a == "x"
    error_message = "m"
  }
}
output "o" {
 value = 1
 depends_on = [var.a]
 precondition {
 condition = var.c != "x"
 error_message = "m"
}
}
variable "c" {
 default = "x"
}
