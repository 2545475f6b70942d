resource "terraform_data" "a" {
  provisioner "local-exec" {
    nope = var.x
  }
  provisioner "local-exec" {
    command = var.y
    nope = 1
  }
}
