resource "terraform_data" "a" {
  connection {
    type = "nope"
    host = "x"
    port = "x"
    timeout = "nope"
  }
  provisioner "remote-exec" {
    inline = ["x"]
  }
}
