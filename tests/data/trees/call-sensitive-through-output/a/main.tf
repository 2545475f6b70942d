variable "v" {
}
output "secret" {
  value     = var.v
  sensitive = true
}
