import {
  to = terraform_data.a
  id = 5
}
resource "terraform_data" "a" {
}
