resource "terraform_data" "a" {
  connection {
    host = local.nope
  }
  provisioner "local-exec" {
    command = "x ${self.nope} ${var.nope} ${terraform_data.a.id}"
  }
  provisioner "local-exec" {
  }
  provisioner "nope" {
  }
}
