variable "password" {
  type        = string
  default     = "S3CR3T"
  sensitive   = true
  description = "Defaults to S3CR3T."

  validation {
    condition     = contains(["S3CR3T", "other"], var.password)
    error_message = "One of S3CR3T and other."
  }

  validation {
    condition     = lower(var.password) != "s3cr3t-x"
    error_message = "Not that one."
  }

  validation {
    condition     = length(var.password) > 3
    error_message = "Too short."
  }
}

variable "account" {
  type = object({
    name = optional(string, "S3CR3T-name")
    size = optional(number, 5)
  })
  default   = {}
  ephemeral = true

  validation {
    condition     = can(regex("^S3CR3T-name$", var.account.name))
    error_message = "Another name."
  }
}

variable "plain" {
  type    = string
  default = "x"

  validation {
    condition     = var.plain != "a" || var.password == "S3CR3T"
    error_message = "Both."
  }
}
