variable "v" {
  validation {
    condition     = startswith(var.v, "a")
    error_message = "Got ${var.v}."
  }
}
variable "plain" {
  validation {
    condition     = var.plain == "$${v}"
    error_message = "Got ${var.plain}."
  }
}
