import {
  to = terraform_data.a
  id = sensitive("x")
}
resource "terraform_data" "a" {
}
