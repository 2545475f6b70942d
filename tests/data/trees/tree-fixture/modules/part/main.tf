variable "name" {
  type = string
  validation {
    condition     = length(var.name) < 5
    error_message = "${var.name} is too long."
  }
}
output "name" {
  value = upper(var.name)
}
