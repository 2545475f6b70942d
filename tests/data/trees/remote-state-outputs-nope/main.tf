data "terraform_remote_state" "b" {
  backend = "local"
  config  = { path = "s.tfstate" }
}
output "o" {
  value = data.terraform_remote_state.b.outputs.x
}
output "p" {
  value = data.terraform_remote_state.b.outputs.y
}
