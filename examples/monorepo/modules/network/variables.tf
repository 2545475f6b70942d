variable "cidr" {
  type        = string
  description = "Address range of the network."

  validation {
    condition     = can(cidrhost(var.cidr, 0))
    error_message = "The address range must be in CIDR notation, such as 10.0.0.0/16."
  }
}

variable "zones" {
  type    = set(string)
  default = ["a", "b"]

  validation {
    condition     = length(var.zones) >= 1 && length(var.zones) <= 3
    error_message = "One to three zones."
  }
}
