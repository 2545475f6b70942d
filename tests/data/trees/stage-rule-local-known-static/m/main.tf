variable "x" {
  validation {
    condition     = var.x == 3
    error_message = "m"
  }
}
output "x" {
  value = 4
}
