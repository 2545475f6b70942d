variable "e" {
  ephemeral = true
  default   = "x"
}
import {
  to = terraform_data.a
  id = var.e
}
resource "terraform_data" "a" {
}
