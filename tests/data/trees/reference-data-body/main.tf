variable "path" {
  default = "s.tfstate"
}
data "terraform_remote_state" "s" {
  backend = "local"
  config  = { path = var.path }
}
output "o" {
  value = data.terraform_remote_state.s.outputs.x
}
