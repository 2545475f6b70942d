import {
  to = terraform_data.a
  id = null
}
resource "terraform_data" "a" {
}
