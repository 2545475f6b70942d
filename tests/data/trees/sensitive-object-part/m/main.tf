variable "x" {
  validation {
    condition     = var.x.b == "c"
    error_message = "m ${var.x.b}"
  }
}
output "a" {
  value = var.x.a
}
output "b" {
  value = var.x.b
}
