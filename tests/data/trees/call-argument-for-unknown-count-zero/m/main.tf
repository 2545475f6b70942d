variable "x" {
  validation {
    condition     = length(var.x) == 0
    error_message = "Has ${length(var.x)}."
  }
}
