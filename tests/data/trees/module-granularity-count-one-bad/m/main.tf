variable "x" {
  validation {
    condition     = var.x == 1
    error_message = "One."
  }
}
output "y" {
  value = "y${var.x}"
}
output "x" {
  value = "x${var.x}"
}
