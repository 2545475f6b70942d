check "c" {
  data "terraform_remote_state" "s" {
    backend = "local"
    config  = { path = "nope" }
  }
  assert {
    condition     = data.terraform_remote_state.s.outputs.x == "z"
    error_message = "chk"
  }
}
output "o" {
  value = data.terraform_remote_state.s.outputs.x
}
