variable "key" {
  default = "x"
}
data "terraform_remote_state" "s" {
  backend = "local"
  config  = { path = "s.tfstate" }
  defaults = {
    d = 1
  }
}
output "o" {
  value = data.terraform_remote_state.s.outputs[var.key]
}
output "backend" {
  value = data.terraform_remote_state.s.backend
  precondition {
    condition     = data.terraform_remote_state.s.backend == "local" && data.terraform_remote_state.s.workspace == null && data.terraform_remote_state.s.defaults.d == 1
    error_message = "Other shape."
  }
}
