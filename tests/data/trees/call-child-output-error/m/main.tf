variable "v" {
}
output "unused" {
  value = tonumber(var.v)
}
