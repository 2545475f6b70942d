variable "b" {
  default = "nope"
  sensitive = true
}
data "terraform_remote_state" "a" {
  backend = var.b
}
