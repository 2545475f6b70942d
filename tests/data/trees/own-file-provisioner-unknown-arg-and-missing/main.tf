resource "terraform_data" "a" {
  provisioner "file" {
    nope = 1
  }
}
