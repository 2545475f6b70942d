resource "terraform_data" "a" {
}
data "terraform_remote_state" "b" {
  backend = "local"
  config  = { path = terraform_data.a.id }
}
output "o" {
  value = data.terraform_remote_state.b.outputs.x.y.z
}
