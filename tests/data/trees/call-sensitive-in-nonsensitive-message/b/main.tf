variable "v" {
  validation {
    condition     = var.v == "ok"
    error_message = "Length ${nonsensitive(length(var.v))}."
  }
}
