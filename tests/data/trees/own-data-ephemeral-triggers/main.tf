variable "e" {
  ephemeral = true
  default = 1
}
resource "terraform_data" "a" {
  triggers_replace = [var.e]
}
