resource "terraform_data" "a" {
  connection {
    host = "x"
  }
  provisioner "file" {
  }
}
