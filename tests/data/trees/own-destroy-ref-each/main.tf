resource "terraform_data" "a" {
  for_each = {}
  provisioner "local-exec" {
    when = destroy
    command = "x ${self.id} ${each.key} ${each.value}"
  }
}
