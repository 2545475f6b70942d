variable "x" {
  default = "a"
  validation {
    condition     = contains(module.m.names, var.x)
    error_message = "${var.x} is none of ${join(",", module.m.names)}."
  }
}
module "m" {
  source = "./m"
}
