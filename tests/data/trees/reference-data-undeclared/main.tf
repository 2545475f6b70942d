data "terraform_remote_state" "s" {
  backend = var.nope
}
