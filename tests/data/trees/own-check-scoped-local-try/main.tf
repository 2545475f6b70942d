check "c" {
  data "terraform_remote_state" "s" {
    backend = "local"
  }
  assert {
    condition = data.terraform_remote_state.s.outputs != null
    error_message = "x"
  }
}
locals {
  x = try(data.terraform_remote_state.s.outputs, 1)
}
