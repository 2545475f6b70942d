variable "x" {
  type    = object({ a = number })
  default = { a = 1 }
}
resource "terraform_data" "a" {
  input = var.x.b
}
