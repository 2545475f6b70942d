variable "x" {
}
output "o" {
  value = var.x
  precondition {
    condition     = can(tonumber(var.x))
    error_message = "Not a number."
  }
}
