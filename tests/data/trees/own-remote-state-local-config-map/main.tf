data "terraform_remote_state" "a" {
  backend = "local"
  config = tomap({path = "x", nope="y"})
}
