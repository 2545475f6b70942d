variable "x" {
}
output "o" {
  value = tonumber(var.x)
}
