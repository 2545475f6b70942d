resource "terraform_data" "a" {
  count = 2
}
import {
  for_each = [0]
  to = terraform_data.a[each.value]
  id = "x"
}
import {
  to = terraform_data.a[0]
  id = "y"
}
