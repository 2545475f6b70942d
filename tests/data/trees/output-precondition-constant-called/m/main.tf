locals {
  one = 1
}
output "o" {
  value = "x"
  precondition {
    condition     = local.one == 2
    error_message = "Not two."
  }
}
