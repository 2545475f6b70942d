resource "terraform_data" "a" {
  connection {
    host = "x"
    port = "x"
    agent = "maybe"
  }
  provisioner "remote-exec" {
    inline = ["x"]
  }
}
