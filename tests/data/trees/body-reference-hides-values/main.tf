resource "terraform_data" "x" {
  provisioner "local-exec" {
    command     = var.nope
    working_dir = tonumber("no")
  }
}
