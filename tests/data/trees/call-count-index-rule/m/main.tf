variable "x" {
  type = number
  validation {
    condition     = var.x < 2
    error_message = "Not ${var.x}."
  }
}
output "o" {
  value = var.x
}
