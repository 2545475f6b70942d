variable "v" {
  default = { a = 1 }
}
locals {
  l = { a = 1 }
}
resource "terraform_data" "y" {
  depends_on = [var.v, var.v.a, local.l, local.l.a, path.module, terraform.workspace]
}
output "o" {
  value      = 1
  depends_on = [var.v, local.l.a, path.module]
}
