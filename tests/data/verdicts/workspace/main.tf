variable "a" {

  validation {
    condition = terraform.workspace == var.a
    error_message = "m"
  }
}
locals {
 l = terraform.workspace == "foo" ? [][0] : 1
}
