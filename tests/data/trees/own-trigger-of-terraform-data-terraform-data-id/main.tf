resource "terraform_data" "b" {
  input = { a = 1 }
}

resource "terraform_data" "terraform_data" {
}

resource "terraform_data" "c" {
  count = 1
}

data "terraform_remote_state" "d" {
  count   = 0
  backend = "local"
}

resource "terraform_data" "a" {
  lifecycle {
    replace_triggered_by = [terraform_data.terraform_data.id]
  }
}
