variable "x" {
}
resource "terraform_data" "a" {
  input = templatefile("${path.module}/t.tftpl", { x = var.x })
}
