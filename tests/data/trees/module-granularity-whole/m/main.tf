variable "x" {
  validation {
    condition     = var.x == 2
    error_message = "Two."
  }
}
variable "y" {
  default = "y"
}
output "y" {
  value = var.y
}
output "x" {
  value = var.x
}
