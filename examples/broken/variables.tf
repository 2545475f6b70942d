# Every way in which a contract and its inputs can disagree; `terraschema check examples/broken` shows each.

variable "name" {
  type = string

  validation {
    condition     = length(var.name) > 3
    error_message = "The name is too short."
  }
}

variable "size" {
  type    = number
  default = 5

  # The default breaks its own rule.
  validation {
    condition     = var.size >= 10
    error_message = "At least 10."
  }
}

variable "tags" {
  type    = map(string)
  default = null

  # Crashes for null before Terraform 1.12: `||` evaluates both sides.
  validation {
    condition     = var.tags == null || length(var.tags) < 10
    error_message = "At most 9 tags."
  }
}

variable "options" {
  type = object({
    mode    = optional(string, "fast")
    retries = optional(number, 3)
  })
  default = {}
}

variable "password" {
  type      = string
  sensitive = true

  validation {
    condition     = length(var.password) >= 12
    error_message = "Twelve characters at least."
  }
}
