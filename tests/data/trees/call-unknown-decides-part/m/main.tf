variable "v" {
  type = object({ id = string, n = number })
  validation {
    condition     = startswith(var.v.id, "x")
    error_message = "No x."
  }
  validation {
    condition     = var.v.n == 1
    error_message = "Not 1 but ${var.v.n}."
  }
}
