resource "terraform_data" "a" {
  provisioner "file" {
    source = "s"
  }
  connection {
    host = "h"
  }
}
