data "terraform_remote_state" "b" {
  backend = "local"
  config  = { nope = 1 }
  zz      = 1
}
