terraform {
  required_providers {
    terraform = {
      source = "terraform.io/builtin/terraform"
    }
  }
}
variable "x" {
  default = "q"
}
output "a" {
  value = provider::terraform::encode_tfvars(var.x)
}
output "b" {
  value = provider::terraform::decode_tfvars(var.x)
}
output "d" {
  value = provider::terraform::decode_tfvars("a = b")
}
output "e" {
  value = provider::terraform::encode_tfvars({ "a b" = 1 })
}
