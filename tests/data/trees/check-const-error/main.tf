variable "x" {
  default = 1
}
check "c" {
  assert {
    condition     = tonumber("q") == var.x
    error_message = "chk"
  }
}
