variable "pw" {
  type = string
  validation {
    condition     = length(var.pw) > 8
    error_message = "Too short."
  }
}
