check "c" {
  data "terraform_remote_state" "s" {
    backend = "local"
    config = {
      path = "none.tfstate"
    }
  }

  assert {
    condition     = data.terraform_remote_state.s.backend == "local"
    error_message = "It is ${data.terraform_remote_state.s.backend}."
  }
}
