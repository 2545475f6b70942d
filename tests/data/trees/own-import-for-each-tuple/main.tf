resource "terraform_data" "a" {
  for_each = toset(["a"])
}
import {
  for_each = ["a"]
  to = terraform_data.a[each.value]
  id = "x"
}
