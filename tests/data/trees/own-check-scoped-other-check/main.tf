check "c" {
  data "terraform_remote_state" "s" {
    backend = "local"
  }
  assert {
    condition = data.terraform_remote_state.s.outputs != null
    error_message = "x"
  }
}
check "d" {
  assert {
    condition = data.terraform_remote_state.s.outputs != null
    error_message = "x"
  }
}
