resource "terraform_data" "a" {
  provisioner "local-exec" {
    _ {
      command = "x"
    }
  }
}
