data "terraform_remote_state" "b" {
 backend = "local"
 count = 0
}
resource "terraform_data" "a" {
  depends_on = [data.terraform_remote_state.b.outputs]
}
