variable "bucket" {
  type = object({
    name       = string
    versioning = optional(bool, true)
    lifecycle  = optional(map(number), {})
  })

  validation {
    condition     = length(var.bucket.name) >= 3 && length(var.bucket.name) <= 63
    error_message = "A bucket's name has 3 to 63 characters."
  }
}
