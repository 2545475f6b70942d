variable "x" {
}
output "o" {
  value = var.x == 0 ? "q" : var.x
}
