variable "v" {
  sensitive = true
}
output "v" {
  value = var.v
}
