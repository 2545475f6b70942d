resource "terraform_data" "a" {}
import {
  to = terraform_data.a
  id = "x"
}
import {
  to = terraform_data.a
  id = "y"
}
