variable "v" {
  default = "1"
  validation {
    condition     = tonumber(var.v) > 0
    error_message = "Not ${tonumber(var.v)}."
  }
}
