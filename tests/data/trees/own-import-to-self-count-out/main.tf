resource "terraform_data" "a" {
  count = 1
}
import {
  to = terraform_data.a[1]
  id = "x"
}
