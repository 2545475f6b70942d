resource "terraform_data" "x" {
  provisioner "local-exec" {
    command = "true"
    dynamic "nope" {
      for_each = [1]
      content {
        a = var.nope
      }
    }
  }
}
