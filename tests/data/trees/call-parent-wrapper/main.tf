variable "name" {
  type = string
  validation {
    condition     = length(var.name) > 2
    error_message = "Too short: ${var.name}."
  }
}
variable "size" {
  type    = number
  default = 1
}
output "name" {
  value = var.name
}
