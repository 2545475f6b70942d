resource "terraform_data" "a" {
  provisioner "local-exec" {
    when = destroy
    command = "x"
    nope = var.x
  }
}
