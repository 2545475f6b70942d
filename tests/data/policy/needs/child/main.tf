variable "bucket" {
  type = string
}
resource "terraform_data" "block" {
  input            = "block"
  triggers_replace = var.bucket
}
resource "terraform_data" "made" {
  input = "bucket"
}
output "made" {
  value = terraform_data.made.id
}
