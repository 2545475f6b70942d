variable "x" {
}
locals {
  bad  = tonumber(var.x)
  good = "y${var.x}"
}
output "bad" {
  value = local.bad
}
output "good" {
  value = local.good
}
