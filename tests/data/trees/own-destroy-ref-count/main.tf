resource "terraform_data" "a" {
  count = 1
  provisioner "local-exec" {
    when = destroy
    command = "x ${count.index}"
  }
}
