variable "name" {
  type        = string
  description = "Name of the service; part of every resource's name."
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{2,29}$", var.name))
    error_message = "The name must be 3 to 30 lower-case letters, digits and dashes, and start with a letter."
  }
}

variable "environment" {
  type        = string
  description = "Where the service runs."
  default     = "dev"
  nullable    = false

  validation {
    condition     = contains(["dev", "staging", "prod"], var.environment)
    error_message = "The environment must be dev, staging or prod."
  }
}

variable "replicas" {
  type        = number
  description = "How many copies run at the same time."
  default     = 2
  nullable    = false

  validation {
    condition     = var.replicas >= 1 && var.replicas <= 20 && floor(var.replicas) == var.replicas
    error_message = "Between 1 and 20 whole replicas, please."
  }

  validation {
    condition     = var.environment != "prod" || var.replicas >= 2
    error_message = "Production needs at least two replicas."
  }
}

variable "ports" {
  type = list(object({
    number   = number
    protocol = optional(string, "tcp")
    public   = optional(bool, false)
  }))
  description = "Ports that the service listens on."
  default     = [{ number = 8080 }]
  nullable    = false

  validation {
    condition     = alltrue([for port in var.ports : port.number >= 1 && port.number <= 65535])
    error_message = "A port is a number from 1 to 65535."
  }

  validation {
    condition     = alltrue([for port in var.ports : contains(["tcp", "udp"], port.protocol)])
    error_message = "The protocol is tcp or udp."
  }
}

variable "labels" {
  type        = map(string)
  description = "Labels for every resource."
  default     = {}
  nullable    = false
}

variable "database" {
  type = object({
    engine  = string
    size_gb = optional(number, 20)
    replica = optional(object({ region = string }))
  })
  description = "A database for the service; null for none."
  default     = null

  validation {
    condition     = var.database == null ? true : contains(["postgres", "mysql"], var.database.engine)
    error_message = "The engine must be postgres or mysql."
  }
}

variable "api_token" {
  type        = string
  description = "Token for the deployment API."
  sensitive   = true
  nullable    = false
}
