variable "x" {
  validation {
    condition     = tonumber(var.x) == 1
    error_message = "m"
  }
}
output "a" {
  value     = tonumber(var.x)
  sensitive = true
}
