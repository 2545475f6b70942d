data "terraform_remote_state" "a" {
  count    = 0
  backend  = "local"
  defaults = null
  config   = null
}
