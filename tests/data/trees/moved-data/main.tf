moved {
  from = data.terraform_remote_state.a
  to   = data.terraform_remote_state.b
}
