variable "a" {
 type = string
}
output "o" {
 value = 1
 precondition {
 condition = [5, var.a][0]
 error_message = "m"
}
}
