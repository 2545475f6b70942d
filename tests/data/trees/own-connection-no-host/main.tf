resource "terraform_data" "a" {
  connection {
  }
  provisioner "remote-exec" {
    inline = ["x"]
  }
}
