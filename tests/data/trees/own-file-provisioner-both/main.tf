resource "terraform_data" "a" {
  connection {
    host = "x"
  }
  provisioner "file" {
    destination = "x"
    source = "x"
    content = "y"
  }
}
