variable "e" {
  ephemeral = true
  default = 1
}
resource "terraform_data" "a" {
  count = 0
  triggers_replace = [var.e]
}
