variable "q" {
}
output "o" {
  value = tonumber(var.q)
}
