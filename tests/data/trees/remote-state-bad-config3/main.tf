data "terraform_remote_state" "b" {
  backend = "local"
  config  = "x"
}
