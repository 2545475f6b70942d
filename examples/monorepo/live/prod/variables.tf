variable "region" {
  type     = string
  nullable = false

  validation {
    condition     = startswith(var.region, "eu-")
    error_message = "Production stays in Europe."
  }
}
