data "terraform_remote_state" "a" {
  backend = "http"
  config  = { address = "http://127.0.0.1:1/" }
  count   = 0
}
data "terraform_remote_state" "b" {
  backend  = "local"
  config   = null
  defaults = { a = 1 }
  count    = 0
}
data "terraform_remote_state" "c" {
  backend  = "local"
  config   = { path = "x" }
  defaults = [1]
  count    = 0
}
