terraform {
  required_providers {
    terraform = {
      source = "terraform.io/builtin/terraform"
    }
  }
}
output "o" {
  value = 1
  precondition {
    condition = (
      provider::terraform::encode_tfvars({ b = "x", a = [1, null], c = { d = true } }) == file("${path.module}/vars.txt")
      && provider::terraform::encode_expr(["a\"b", 1.5, { "k-e y" = null }]) == trimsuffix(file("${path.module}/expr.txt"), "\n")
    )
    error_message = "${provider::terraform::encode_tfvars({ b = "x", a = [1, null], c = { d = true } })}---${provider::terraform::encode_expr(["a\"b", 1.5, { "k-e y" = null }])}"
  }
}
