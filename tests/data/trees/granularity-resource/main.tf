variable "x" {
  default = "x"
}
resource "terraform_data" "a" {
  count = 2
  input = count.index == 1 ? tonumber(var.x) : 1
}
output "o" {
  value = tonumber("q${terraform_data.a[0].input}")
}
output "p" {
  value = tonumber("q${var.x}")
}
