variable "e" {
  ephemeral = true
  default = 1
}
resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = "echo ${var.e}"
  }
}
