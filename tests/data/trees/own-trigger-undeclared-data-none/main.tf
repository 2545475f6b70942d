resource "terraform_data" "a" {
  count = 0
  lifecycle {
    replace_triggered_by = [data.terraform_remote_state.none]
  }
}
