check "c" {
  data "terraform_remote_state" "s" {
    backend = "local"
  }
  assert {
    condition = data.terraform_remote_state.s.outputs != null
    error_message = "x"
  }
}
resource "terraform_data" "a" {
  depends_on = [data.terraform_remote_state.s]
}
