resource "terraform_data" "a" {
  count = 0
  provisioner "local-exec" {
  }
}
