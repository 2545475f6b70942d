import {
  to = terraform_data.a
  id = "x"
}
resource "terraform_data" "a" {
  count = 1
}
output "o" {
  value = tonumber("q")
}
