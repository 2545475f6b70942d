data "terraform_remote_state" "b" {
  backend = "local"
}
resource "terraform_data" "a" {
  lifecycle {
    replace_triggered_by = [data.terraform_remote_state.b.outputs, module.x.y, local.z, each.key]
  }
}
