variable "x" {
}
check "c" {
  assert {
    condition     = var.nope == "z"
    error_message = "chk"
  }
  assert {
    condition     = tonumber("q") == var.x
    error_message = "chk"
  }
}
