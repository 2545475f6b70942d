variable "x" {
  default = "q"
}
resource "terraform_data" "a" {
  input = var.x
}
output "o" {
  value = tonumber(terraform_data.a.output)
}
