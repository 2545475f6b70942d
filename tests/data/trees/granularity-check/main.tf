variable "x" {
  default = "x"
}
resource "terraform_data" "a" {
  input = tonumber(var.x)
}
check "reads" {
  assert {
    condition     = terraform_data.a.input == tonumber("q${var.x}")
    error_message = "No."
  }
}
check "alone" {
  assert {
    condition     = tonumber("r${var.x}") == 1
    error_message = "No."
  }
}
check "false" {
  assert {
    condition     = var.x == "y"
    error_message = "Not y."
  }
}
