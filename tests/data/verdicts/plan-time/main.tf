variable "a" {
  default = ""
  validation {
    condition     = var.a == "x" || plantimestamp() == "x"
    error_message = "m"
  }
}
variable "b" {
  default = ""
  validation {
    condition     = can(regex("^q", plantimestamp())) || var.b == "x"
    error_message = "m"
  }
}
variable "c" {
  default = ""
  validation {
    condition     = length(plantimestamp()) == 20 && var.c == "x"
    error_message = "m"
  }
}
variable "d" {
  default = ""
  validation {
    condition     = var.d == "x" || tonumber(plantimestamp()) > 1
    error_message = "m"
  }
}
variable "e" {
  default = ""
  validation {
    condition     = timecmp(plantimestamp(), "2020-01-01T00:00:00Z") > 0 && var.e == "x"
    error_message = "m"
  }
}
variable "f" {
  default = ""
  validation {
    condition     = alltrue([var.f == "x", startswith(local.now, "1990")])
    error_message = "m"
  }
}
variable "g" {
  default = ""
  validation {
    condition     = var.g == "y" ? false : (plantimestamp() == "" || true)
    error_message = "m"
  }
}
variable "h" {
  default = ""
  validation {
    condition     = try(tonumber(plantimestamp()), var.h) == "x"
    error_message = "m"
  }
}
locals {
  now = plantimestamp()
}
