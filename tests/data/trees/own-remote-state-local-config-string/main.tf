data "terraform_remote_state" "a" {
  backend = "local"
  config = "x"
}
