variable "x" {
  default = 1
}
output "o" {
  value = var.x
  precondition {
    condition     = output.o == 2
    error_message = "x"
  }
}
