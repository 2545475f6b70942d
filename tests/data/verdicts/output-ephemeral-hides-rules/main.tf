variable "a" {

  validation {
    condition = var.a == "x"
    error_message = "m"
  }
}
output "o" {
 value = 1
 ephemeral = true
}
