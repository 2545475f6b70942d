variable "k" {
}
variable "v" {
  validation {
    condition     = var.v == upper(var.k)
    error_message = "Key ${var.k} has ${var.v}."
  }
}
