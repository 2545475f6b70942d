variable "x" {
  default = 1
  validation {
    condition     = var.x == module.m.o
    error_message = "Other."
  }
}
module "m" {
  source = "./m"
  x      = var.x
}
