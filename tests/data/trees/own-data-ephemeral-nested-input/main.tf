variable "e" {
  ephemeral = true
  default = 1
}
resource "terraform_data" "a" {
  input = { a = [var.e] }
}
