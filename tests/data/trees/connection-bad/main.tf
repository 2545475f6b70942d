resource "terraform_data" "a" {
  connection {
    host = "h"
    zz   = 1
  }
  provisioner "local-exec" {
    command = "x"
  }
}
