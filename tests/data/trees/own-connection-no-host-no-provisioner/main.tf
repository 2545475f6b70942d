resource "terraform_data" "a" {
  connection {
  }
}
