variable "x" {
  default = "q"
}
data "terraform_remote_state" "s" {
  backend = "local"
  config  = { path = tonumber(var.x) }
}
