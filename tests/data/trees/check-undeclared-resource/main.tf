check "c" {
  assert {
    condition     = terraform_data.nope.id == ""
    error_message = "chk ${local.nope}"
  }
}
