data "terraform_remote_state" "a" {
  backend = "local"
  defaults = "x"
}
