output "o" {
  value = [var.nope, local.nope, terraform_data.nope.id, data.terraform_remote_state.nope.outputs, module.nope.x]
}
