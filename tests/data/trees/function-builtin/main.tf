terraform {
  required_providers {
    terraform = {
      source = "terraform.io/builtin/terraform"
    }
  }
}
output "a" {
  value = provider::terraform::encode_tfvars({ a = 1 })
}
output "b" {
  value = provider::terraform::decode_tfvars("a = 1\n").a
}
output "c" {
  value = provider::terraform::encode_expr([1, "a"])
}
