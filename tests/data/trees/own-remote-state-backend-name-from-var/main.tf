variable "b" {
  default = "nope"
}
data "terraform_remote_state" "a" {
  backend = var.b
}
