resource "terraform_data" "a" {
  connection {
    host = local.nope
  }
  provisioner "local-exec" {
    command = "x"
  }
}
