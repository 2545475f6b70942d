variable "x" {
  type    = list(string)
  default = []
}
output "o" {
  value = var.x
}
