variable "v" {
  validation {
    condition     = contains(module.known.names, var.v)
    error_message = "${var.v} is not known."
  }
}
module "known" {
  source = "./known"
}
