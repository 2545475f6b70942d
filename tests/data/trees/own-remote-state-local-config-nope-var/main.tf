variable "v" {
  default = {nope=1}
}
data "terraform_remote_state" "a" {
  backend = "local"
  config = var.v
}
