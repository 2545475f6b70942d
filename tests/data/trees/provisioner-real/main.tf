variable "q" {
  default = "q"
}
resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = tonumber(var.q)
  }
  connection {
    host = tonumber(var.q)
  }
}
