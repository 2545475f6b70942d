variable "v" {
  type    = string
  default = "d"
  validation {
    condition     = var.v == "d"
    error_message = "Not d."
  }
}
