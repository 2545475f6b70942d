variable "q" {
}
check "c" {
  assert {
    condition     = tonumber(var.q) < 3
    error_message = "Got ${var.q}."
  }
}
