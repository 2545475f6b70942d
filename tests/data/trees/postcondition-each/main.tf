variable "m" {
  type    = map(number)
  default = { a = 1 }
}
resource "terraform_data" "a" {
  for_each = var.m
  input    = each.value
  lifecycle {
    postcondition {
      condition     = self.input > 0
      error_message = "${each.key} is ${self.input}."
    }
  }
}
