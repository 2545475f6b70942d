variable "x" {
  default = { a = 1 }
}
resource "terraform_data" "a" {
  triggers_replace = [var.x.a]
}
