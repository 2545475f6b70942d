variable "v" {
}
output "o" {
  value = var.v + 1
}
