variable "v" {
  type    = number
  default = 9
  validation {
    condition     = var.v == null || try(var.v < 5, false)
    error_message = "Got ${coalesce(var.v, -1)}."
  }
}
