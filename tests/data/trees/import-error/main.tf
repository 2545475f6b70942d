variable "v" {
  default = "q"
}
import {
  to = terraform_data.a
  id = tonumber(var.v)
}
resource "terraform_data" "a" {
}
