variable "x" {
  type = object({ a = optional(string, "d"), b = string })
}
output "o" {
  value = var.x
}
