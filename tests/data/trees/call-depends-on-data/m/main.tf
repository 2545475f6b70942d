data "terraform_remote_state" "s" {
  backend = "local"
  config  = { path = "missing.tfstate" }
}
output "o" {
  value = data.terraform_remote_state.s.outputs.x
}
