variable "name" {
  type = string
  validation {
    condition     = length(var.name) > 2
    error_message = "Too short: ${var.name}."
  }
}
output "name" {
  value = var.name
}
