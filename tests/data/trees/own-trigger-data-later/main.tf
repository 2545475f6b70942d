resource "terraform_data" "b" {
}

data "terraform_remote_state" "d" {
  backend = "local"
  defaults = {
    a = terraform_data.b.id
  }
}

resource "terraform_data" "a" {
  lifecycle {
    replace_triggered_by = [data.terraform_remote_state.d]
  }
}
