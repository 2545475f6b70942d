resource "terraform_data" "a" {
  connection {
    host = "x"
  }
  provisioner "remote-exec" {
    inline = "x"
  }
}
