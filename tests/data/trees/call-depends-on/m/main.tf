variable "v" {
  validation {
    condition     = var.v < 3
    error_message = "Below 3."
  }
}
output "o" {
  value = var.v
}
