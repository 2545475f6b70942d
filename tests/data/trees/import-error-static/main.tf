import {
  to = terraform_data.a
  id = tonumber("v")
}
resource "terraform_data" "a" {
}
