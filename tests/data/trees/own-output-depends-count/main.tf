variable "v" {
  default = 1
}

variable "o" {
  default = { a = 1 }
}

locals {
  l = { a = 1 }
}

output "o" {
  value      = 1
  depends_on = [count.index]
}
