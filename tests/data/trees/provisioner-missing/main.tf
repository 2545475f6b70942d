resource "terraform_data" "a" {
  provisioner "local-exec" {
  }
  provisioner "local-exec" {
    command = "x"
    zz      = 1
  }
  provisioner "local-exec" {
    command = []
  }
}
