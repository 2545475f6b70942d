data "terraform_remote_state" "b" {
  backend = "local"
  lifecycle {
    prevent_destroy = true
  }
}
