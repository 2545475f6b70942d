locals {
  one = 1
}
variable "x" {
  default = "x"
}
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = local.one == 2
      error_message = "Not two."
    }
  }
}
output "o" {
  value = tonumber(var.x)
}
