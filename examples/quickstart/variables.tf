variable "name" {
  type        = string
  description = "Name of the service."
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{2,29}$", var.name))
    error_message = "The name must be 3 to 30 lower-case letters, digits and dashes, and start with a letter."
  }
}

variable "replicas" {
  type        = number
  description = "How many copies run at the same time."
  default     = 2
  nullable    = false

  validation {
    condition     = var.replicas >= 1 && var.replicas <= 20
    error_message = "Choose 1 to 20 replicas."
  }
}
