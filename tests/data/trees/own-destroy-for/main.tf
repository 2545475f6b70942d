resource "terraform_data" "a" {
  provisioner "local-exec" {
    when = destroy
    command = join(",", [for x in [1] : x])
  }
}
