resource "terraform_data" "b" {}
resource "terraform_data" "a" {
  provisioner "remote-exec" {
    when = destroy
    inline = ["x"]
    connection {
      host = terraform_data.b.id
    }
  }
}
