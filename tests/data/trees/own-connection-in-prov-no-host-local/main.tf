resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = "x"
    connection {
      type = "ssh"
    }
  }
}
