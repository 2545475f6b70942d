variable "e" {
  ephemeral = true
  default = "local"
}
data "terraform_remote_state" "a" {
  backend = var.e
}
