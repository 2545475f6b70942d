# Every way in which a contract and its inputs can disagree; `terraschema check` in this directory shows each.

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

variable "region" {
  type     = string
  nullable = false
}

variable "zone" {
  type    = string
  default = "eu-1a"

  # Only a plan knows the zones.
  validation {
    condition     = contains(data.aws_availability_zones.all.names, var.zone)
    error_message = "There is no such zone."
  }
}

variable "checksum" {
  type    = string
  default = "0a"

  # A hash has no translation; of the other rule a part has.
  validation {
    condition     = sha1(var.checksum) != sha1("")
    error_message = "No empty checksum."
  }

  validation {
    condition     = length(var.checksum) >= 2 && sha1(var.checksum) != sha1("00")
    error_message = "Two characters, and not zero."
  }
}

variable "ports" {
  type    = list(object({ number = number, protocol = optional(string, "tcp") }))
  default = []

  validation {
    condition     = alltrue([for port in var.ports : port.number >= 1 && port.number <= 65535])
    error_message = "A port is a number from 1 to 65535."
  }
}

# terraschema:ignore type-mismatch nothing here is of another type
variable "password" {
  type      = string
  sensitive = true
  default   = "correct horse battery staple"

  validation {
    condition     = length(var.password) >= 12
    error_message = "Twelve characters at least, not ${var.password}."
  }
}

variable "monitoring" {
  type    = bool
  default = true
}

variable "endpoint" {
  type    = string
  default = null

  # Required if: nothing is wrong with it, but somebody has to give it.
  validation {
    condition     = !var.monitoring || var.endpoint != null
    error_message = "Monitoring needs an endpoint."
  }
}

data "aws_availability_zones" "all" {}
