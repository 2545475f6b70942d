variable "i" {
  default = null
}
resource "terraform_data" "a" {
  id = var.i
}
