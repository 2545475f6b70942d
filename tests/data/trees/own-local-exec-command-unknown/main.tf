resource "terraform_data" "x" {
  provisioner "local-exec" {
    command = "${self.id}"
  }
  provisioner "local-exec" {
    command = sensitive("true")
  }
}
