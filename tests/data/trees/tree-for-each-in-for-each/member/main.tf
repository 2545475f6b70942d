variable "label" {
  type = string
}
variable "size" {
  type = number
  validation {
    condition     = var.size < 3
    error_message = "${var.label} has ${var.size}."
  }
}
variable "tags" {
  type = list(string)
  validation {
    condition     = length(var.tags) > 0
    error_message = "${var.label} has no tags."
  }
}
output "label" {
  value = var.label
}
