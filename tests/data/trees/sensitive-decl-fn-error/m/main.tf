variable "x" {
  sensitive = true
  validation {
    condition     = tonumber(var.x) == 1
    error_message = "m ${var.x}"
  }
}
output "a" {
  value     = tonumber(var.x)
  sensitive = true
}
