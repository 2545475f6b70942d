variable "m" {
  type    = map(number)
  default = { a = 1 }
}
resource "terraform_data" "a" {
  for_each = var.m
  lifecycle {
    precondition {
      condition     = each.value > 0
      error_message = "${each.key} is ${each.value}."
    }
  }
}
