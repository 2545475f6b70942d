variable "x" {
  validation {
    condition     = var.x == "c"
    error_message = "m ${var.x}"
  }
}
output "o" {
  value = length(var.x)
}
