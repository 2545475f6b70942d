check "c" {
  assert {
    condition     = local.b == 1
    error_message = "${local.none} ${tonumber("q")}"
  }
}

locals {
  b = 1
}
