variable "n" {
  default = 0
}
data "terraform_remote_state" "s" {
  count   = var.n
  backend = "local"
  config  = { path = "nope.tfstate" }
}
output "o" {
  value = data.terraform_remote_state.s[0].outputs
}
