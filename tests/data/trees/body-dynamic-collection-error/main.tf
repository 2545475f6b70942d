resource "terraform_data" "x" {
  provisioner "local-exec" {
    command = "true"
    dynamic "nope" {
      for_each = tonumber("no")
      content {
        a = nope.value
      }
    }
  }
}
