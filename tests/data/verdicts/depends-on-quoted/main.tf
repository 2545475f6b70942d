variable "a" {}
locals {
 l = 1
}
output "o" {
 value = 1
 depends_on = ["var.a"]
}
