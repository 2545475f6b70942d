variable "env" {
  default   = "prod"
  sensitive = true
}
locals {
  sizes = { prod = 3, dev = 1 }
}
output "o" { value = local.sizes[var.env] }
