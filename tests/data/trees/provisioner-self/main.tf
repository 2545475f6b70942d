resource "terraform_data" "a" {
  connection {
    host = self.id
  }
  provisioner "local-exec" {
    command = self.output
  }
}
