variable "id" {
  default = "x"
}
import {
  to = terraform_data.a
  id = var.id
}
resource "terraform_data" "a" {
}
