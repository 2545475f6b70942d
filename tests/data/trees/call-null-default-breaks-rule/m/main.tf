variable "x" {
  default  = 1
  nullable = false
  validation {
    condition     = var.x == 3
    error_message = "m"
  }
}
