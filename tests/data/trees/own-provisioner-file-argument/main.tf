resource "terraform_data" "a" {
  provisioner "file" {
    source      = "s"
    destination = "d"
    nope        = 1
  }
  connection {
    host = "h"
  }
}
