variable "x-y" {
}
output "o-p" {
  value = var.x-y
}
