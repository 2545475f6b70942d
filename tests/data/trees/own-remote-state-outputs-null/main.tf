data "terraform_remote_state" "a" {
  backend = "local"
  outputs = null
  count = 0
}
