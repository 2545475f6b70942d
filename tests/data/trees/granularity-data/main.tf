data "terraform_remote_state" "s" {
  backend = "local"
  config  = { path = "nope.tfstate" }
}
output "o" {
  value = tonumber("q${data.terraform_remote_state.s.outputs.x}")
}
resource "terraform_data" "a" {
  depends_on = [data.terraform_remote_state.s]
  input      = file("nope-${data.terraform_remote_state.s.backend}")
}
