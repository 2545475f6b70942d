variable "x" {
  ephemeral = true
  validation {
    condition     = var.x == "c"
    error_message = "m ${var.x}"
  }
}
