resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = "x"
    interpreter = ["a"]
    working_dir = "x"
    environment = { a = "b" }
    quiet = true
    when = destroy
    on_failure = continue
  }
}
