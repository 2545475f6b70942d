variable "a" {
  default = ""
  validation {
    condition     = var.a == "x"
    error_message = "m"
  }
}
check "c" {
  assert {
    condition     = can(check.c) && var.a == "x"
    error_message = "m"
  }
}
