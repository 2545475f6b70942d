variable "q" {
  default = "1"
}
check "c" {
  assert {
    condition     = tonumber(var.q) < 3
    error_message = "Got ${var.q}."
  }
}
