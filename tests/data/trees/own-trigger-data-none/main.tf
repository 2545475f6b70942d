data "terraform_remote_state" "d" {
  count   = 0
  backend = "local"
}

resource "terraform_data" "a" {
  count = 0
  lifecycle {
    replace_triggered_by = [data.terraform_remote_state.d]
  }
}
