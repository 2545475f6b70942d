data "terraform_remote_state" "s" {
  backend = "local"
  config  = { path = "s.tfstate" }
}
resource "terraform_data" "b" {
  input = terraform_remote_state.s.outputs
}
