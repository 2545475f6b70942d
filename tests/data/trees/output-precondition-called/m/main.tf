variable "q" {
}
output "o" {
  value = var.q
  precondition {
    condition     = var.q < 3
    error_message = "Got ${var.q}."
  }
}
output "unused" {
  value = var.q
  precondition {
    condition     = var.q != 2
    error_message = "Two."
  }
}
