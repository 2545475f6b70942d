resource "terraform_data" "a" {
  count = 2
}
import {
  to = terraform_data.a[0]
  id = "x"
}
import {
  to = terraform_data.a[1]
  id = "y"
}
