import {
  to = terraform_data.a
  id = "x"
}
import {
  to = terraform_data.a
  id = "y"
}
resource "terraform_data" "a" {
}
