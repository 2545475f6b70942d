import {
  to = terraform_data.a
  id = ""
}
resource "terraform_data" "a" {
}
