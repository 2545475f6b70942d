data "terraform_remote_state" "b" {
  backend  = "local"
  config   = { path = "nope.tfstate" }
  defaults = { x = 1 }
}
output "o" {
  value = data.terraform_remote_state.b.outputs.x
}
output "p" {
  value = data.terraform_remote_state.b.outputs.y
}
output "q" {
  value = data.terraform_remote_state.b.nope
}
