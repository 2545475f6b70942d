check "c" {
  data "terraform_remote_state" "s" {
    backend = var.nope
    config  = { path = "nope" }
  }
  assert {
    condition     = data.terraform_remote_state.s.nope == "z"
    error_message = "chk"
  }
}
