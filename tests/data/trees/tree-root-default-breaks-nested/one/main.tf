variable "a" {
  default = 1
  validation {
    condition     = var.a > 0
    error_message = "Got ${var.a}."
  }
}
module "two" {
  source = "../two"
}
