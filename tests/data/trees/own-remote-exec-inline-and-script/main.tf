resource "terraform_data" "a" {
  provisioner "remote-exec" {
    inline = ["x"]
    script = "x"
    connection {
      host = "x"
    }
  }
}
