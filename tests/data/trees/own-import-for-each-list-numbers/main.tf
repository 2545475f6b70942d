resource "terraform_data" "a" {
  count = 1
}
import {
  for_each = tolist([0])
  to = terraform_data.a[each.value]
  id = "x"
}
