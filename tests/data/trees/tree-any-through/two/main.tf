variable "v" {
  type = list(map(string))
  validation {
    condition     = alltrue([for m in var.v : contains(keys(m), "a")])
    error_message = "No a in ${jsonencode(var.v)}."
  }
}
