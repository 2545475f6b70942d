variable "subnets" {
  type = list(string)
  validation {
    condition     = length(distinct(var.subnets)) == length(var.zones)
    error_message = "Zones ${join(",", var.zones)}, but subnets ${join(",", var.subnets)}."
  }
}
variable "zones" {
  type = list(string)
}
