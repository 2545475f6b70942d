variable "n" {
  default = null
}
import {
  to = terraform_data.a
  id = var.n
}
resource "terraform_data" "a" {
}
