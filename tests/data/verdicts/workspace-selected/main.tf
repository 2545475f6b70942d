variable "a" {
  validation {
    condition     = terraform.workspace == var.a
    error_message = "m"
  }
}
locals {
  only_some = { foo = 1, default = 2, "a b" = 3, ".." = 4 }[terraform.workspace]
}
