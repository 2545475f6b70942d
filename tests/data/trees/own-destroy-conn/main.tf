resource "terraform_data" "b" {}
resource "terraform_data" "a" {
  connection {
    host = terraform_data.b.id
  }
  provisioner "remote-exec" {
    when = destroy
    inline = ["x"]
  }
}
