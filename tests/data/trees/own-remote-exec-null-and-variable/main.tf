variable "v" {
  type    = string
  default = null
}
resource "terraform_data" "x" {
  connection {
    host = "h"
  }
  provisioner "remote-exec" {
    script = null
    inline = [var.v]
  }
}
