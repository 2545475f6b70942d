import {
  to = data.terraform_remote_state.a
  id = "x"
}
data "terraform_remote_state" "a" {
  backend = "local"
}
