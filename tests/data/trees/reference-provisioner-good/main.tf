resource "terraform_data" "a" {
  for_each = { a = 1 }
  provisioner "local-exec" {
    command = "echo ${each.key} ${self.id}"
  }
  provisioner "local-exec" {
    when    = destroy
    command = "echo ${each.key} ${self.output}"
  }
}
