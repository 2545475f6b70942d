resource "terraform_data" "a" {
}
check "c" {
  assert {
    condition     = terraform_data.a.nope == "" && module.x.y && var.nope
    error_message = "chk"
  }
}
