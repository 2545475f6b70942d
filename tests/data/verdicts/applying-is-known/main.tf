variable "a" {}
locals {
 l = !terraform.applying ? [][0] : 1
}
