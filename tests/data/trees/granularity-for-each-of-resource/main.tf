variable "m" {
  default = ["a"]
}
variable "x" {
  default = "x"
}
resource "terraform_data" "a" {
  for_each = var.m
  input    = tonumber(var.x)
}
output "o" {
  value = tonumber("q${terraform_data.a["z"].input}")
}
