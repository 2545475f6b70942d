locals {
  one = 1
}
output "o" {
  value = 1
  precondition {
    condition     = local.one == 2
    error_message = "Not two."
  }
}
