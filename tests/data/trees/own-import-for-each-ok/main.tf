resource "terraform_data" "a" {
  for_each = toset(["a"])
}
import {
  for_each = toset(["a"])
  to = terraform_data.a[each.key]
  id = "x"
}
