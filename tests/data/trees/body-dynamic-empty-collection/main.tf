resource "terraform_data" "x" {
  connection {
    type = "ssh"
    host = "h"
    dynamic "nope" {
      for_each = []
      content {
        a = var.nope
      }
    }
  }
  provisioner "remote-exec" {
    inline = ["true"]
  }
}
