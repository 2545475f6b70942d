variable "v" {
  type    = string
  default = null
}
resource "terraform_data" "x" {
  connection {
    host = "h"
  }
  provisioner "file" {
    source      = var.v
    content     = "c"
    destination = "/d"
  }
}
