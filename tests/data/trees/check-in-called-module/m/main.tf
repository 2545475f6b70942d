variable "x" {
}
resource "terraform_data" "a" {
}
check "c" {
  assert {
    condition     = var.x == "z"
    error_message = "chk ${var.x}"
  }
  assert {
    condition     = terraform_data.a.id == "z"
    error_message = "chk2"
  }
  assert {
    condition     = tonumber(var.x) == 1
    error_message = "chk3"
  }
}
