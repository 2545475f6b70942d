resource "terraform_data" "b" {}
data "terraform_remote_state" "a" {
  backend = "local"
  count = 0
  depends_on = [terraform_data.b.id]
}
