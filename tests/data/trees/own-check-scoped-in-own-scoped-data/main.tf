check "c" {
  data "terraform_remote_state" "s" {
    backend = "local"
    depends_on = [data.terraform_remote_state.s]
  }
  assert {
    condition = true || data.terraform_remote_state.s.outputs != null
    error_message = "x"
  }
}
