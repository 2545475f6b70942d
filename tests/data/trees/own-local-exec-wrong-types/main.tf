resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = []
    interpreter = "a"
    working_dir = []
    environment = "x"
    quiet = "x"
  }
}
