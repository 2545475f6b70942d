variable "in" {
}
resource "terraform_data" "t" {
  input            = var.in
  triggers_replace = [var.in]
}
output "input" {
  value = terraform_data.t.input
}
