variable "x" {
  default = null
}
check "c" {
  assert {
    condition     = var.x
    error_message = "chk"
  }
  assert {
    condition     = [var.x]
    error_message = "chk"
  }
  assert {
    condition     = var.x == 1
    error_message = var.x
  }
  assert {
    condition     = var.x == null
    error_message = tonumber("q${var.x == null ? 1 : 2}")
  }
}
