variable "v" {
}
output "upper" {
  value = upper(var.v)
}
