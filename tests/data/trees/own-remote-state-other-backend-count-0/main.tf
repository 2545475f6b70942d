variable "n" {
  default = 0
}
data "terraform_remote_state" "r" {
  count   = var.n
  backend = "http"
  config = {
    address = "http://127.0.0.1:1/"
  }
}
