variable "v" {
  default = 1
}
locals {
  l = 1
}
resource "terraform_data" "a" {
  depends_on = [var.v, local.l, path.module]
}
