variable "m" {
  type    = map(string)
  default = { a = "1" }
}
import {
  for_each = var.m
  to       = terraform_data.a[each.key]
  id       = each.value
}
resource "terraform_data" "a" {
  for_each = toset(["a", "b"])
}
