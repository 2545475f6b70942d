resource "terraform_data" "a" {
  provisioner "local-exec" {
    when = destroy
    command = "x ${var.x} ${self.id} ${each.key} ${count.index} ${path.module} ${terraform.workspace} ${local.x}"
  }
}
