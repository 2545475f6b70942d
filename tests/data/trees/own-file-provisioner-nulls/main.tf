variable "v" {
  type    = string
  default = null
}
resource "terraform_data" "x" {
  connection {
    host = "h"
  }
  provisioner "file" {
    source      = null
    content     = null
    destination = "/d"
  }
}
