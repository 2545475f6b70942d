data "terraform_remote_state" "s" {
  backend = "local"
  config  = { path = "s.tfstate" }
}
output "o" {
  value = data.terraform_remote_state.s.x
}
