resource "terraform_data" "a" {
  for_each = { a = 1, b = 2 }
  input    = each.value
  lifecycle {
    precondition {
      condition     = each.value == 1
      error_message = "x ${each.key}"
    }
    postcondition {
      condition     = each.value == 2 && self.input == 2
      error_message = "y ${each.key}"
    }
  }
}
