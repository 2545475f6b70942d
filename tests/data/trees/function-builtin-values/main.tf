terraform {
  required_providers {
    terraform = {
      source = "terraform.io/builtin/terraform"
    }
  }
}
variable "text" {
  default = "a = 1\nb = [\"x\"]\n"
}
locals {
  decoded = provider::terraform::decode_tfvars(var.text)
}
output "o" {
  value = local.decoded
  precondition {
    condition     = local.decoded.a == 1
    error_message = "Got ${local.decoded.a}."
  }
}
