variable "x" {
  nullable = false
  default  = "d"
}
output "o" {
  value = var.x
}
