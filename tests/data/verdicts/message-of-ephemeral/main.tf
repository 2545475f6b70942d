variable "a" {
  ephemeral = true
  validation {
    condition = var.a == "y"
    error_message = "no ${var.a}"
  }
}
