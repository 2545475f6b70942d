resource "terraform_data" "a" {
  connection {
    host = "x"
    nope {}
  }
  provisioner "remote-exec" {
    inline = ["x"]
  }
}
