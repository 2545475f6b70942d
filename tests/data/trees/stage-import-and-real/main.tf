variable "q" {
  default = "q"
}
import {
  to = terraform_data.nope
  id = "x"
}
output "o" {
  value = tonumber(var.q)
}
