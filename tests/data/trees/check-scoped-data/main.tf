variable "p" {
  default = "nope.tfstate"
}
check "c" {
  data "terraform_remote_state" "s" {
    backend = "local"
    config  = { path = var.p }
  }
  assert {
    condition     = data.terraform_remote_state.s.outputs.x == "z"
    error_message = "chk"
  }
}
