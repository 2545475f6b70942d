resource "terraform_data" "a" {
  nope = 1
  provisioner "local-exec" {
  }
}
