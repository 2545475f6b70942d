variable "v" {
  type = list(any)
}
output "o" {
  value = var.v
}
