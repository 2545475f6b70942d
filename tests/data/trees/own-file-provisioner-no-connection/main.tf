resource "terraform_data" "a" {
  provisioner "file" {
    destination = "x"
    content = "y"
  }
}
