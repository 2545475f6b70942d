resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = "x"
    dynamic "connection" {
      for_each = []
      content {}
    }
  }
}
