resource "terraform_data" "a" {
  connection {
    host = "x"
    nope = 1
  }
  provisioner "local-exec" {
    command = "x"
  }
}
